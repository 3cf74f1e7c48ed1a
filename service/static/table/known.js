// What the page of a table was told last, and what may be put right there.

export const known = { happened: [], announced: [], table: null, state: "" };

export const mending = {
  lines: 0, acts: { undo: false, redo: false, rivers: [], sets: [], flowers: [], tiles: [] }, allowed: false, hasNext: false,
  draft: null, // the change that Save writes: its path, its body, and the event that the form shows
};

const DOUBTFUL = 0.8;
export const isDoubtful = ({ confidence }) => confidence !== null && confidence < DOUBTFUL;
