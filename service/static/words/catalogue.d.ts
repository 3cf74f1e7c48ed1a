// The texts of one language, which service/texts/pages.py writes as the answer of /static/words/catalogue.js.

export const language: string;
/** All languages by their code: how people call each, and how a browser does. */
export const LANGUAGES: Record<string, { name: string; tag: string }>;
/** By key; "VOCABULARY:KEY" is what the games of a vocabulary say in the place of "KEY". */
export const WORDS: Record<string, string>;
/** Terms of the glossary, in order, by rule set. */
export const TERMS: Record<string, string[]>;
