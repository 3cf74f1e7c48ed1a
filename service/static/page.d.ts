// What scripts of pages hand to each other; what the server sends is in wire.d.ts.
import type {
  AnnouncementView, AskedSource, CameraChoice, CheckView, ChoiceView, Correction, DiscardView, GameBegins, GameView, HallTableView, Ledger,
  OtherChoice, QuestionView, RecordingChoice, RingView, StreamChoice, TableCorners,
} from "./wire";

/** What stands within an element. */
export type Child = Node | string;
/** Attributes by name; "onclick" is what a tap does. */
export type Attributes = { [name: string]: string | number | boolean | ((event: MouseEvent) => unknown) };
/** What a text says in the place of its braces. */
export type Values = object;

/** An announcement of what somebody is paid, or all pay. */
export interface Payout extends AnnouncementView {
  seat: number | null;
  deltas: number[];
  points: number[];
  pot: number;
  items: { name: string }[];
  ledger: Ledger;
  rows: string[];
  why: string[];
}

/** Where a hand stands in its game: of a table, or of a hand that is over. */
export interface Place {
  hand?: unknown;
  number?: number;
  dealer: number;
  first_dealer: number;
  round: string;
  honba: number;
}

/** Of a drawing of points, with the room at its sides. */
export interface ChartSize {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}
/** A game with its number among all of the evening. */
export interface ChartGame extends GameView {
  number: number;
}
/** What a player had in one game, from the hand on after which it began. */
export interface ChartPart {
  seat: number;
  from: number;
  values: number[];
  /** What the game before ended with, where its end has changed that. */
  joins: number | null;
}
export interface ChartPlayer {
  name: string;
  parts: ChartPart[];
  /** After the last game. */
  total: number;
}
export interface Size {
  width: number;
  height: number;
}
/** A tile where it lies on the felt. */
export interface Placed {
  code: string;
  x: number;
  y: number;
  size: Size;
  turned: boolean;
  claimed?: boolean;
}
export interface PlacedDiscard extends Placed {
  at: number;
  claimed: boolean;
}
/** A figure in the middle of the felt, and the sign before it. */
export interface Counter {
  sign?: string;
  figure: string;
}

export interface OptionControl {
  shown: HTMLElement;
  read: () => unknown;
}
/** The picture of a win, and where its tiles lie in it. */
export interface Photo {
  image: HTMLImageElement;
  rings: RingView[];
}

/** An event as a form changes it, with the fields of the record. */
export interface FormEvent {
  type: string;
  kind?: string;
  seat?: number;
  from?: number;
  tile?: string | null;
  own?: (string | null)[];
  ready?: boolean;
  players?: string[];
  rules?: string;
  options?: Record<string, unknown>;
  values?: number[];
  [field: string]: unknown;
}
export type Stands = GameBegins & { [field: string]: unknown };
export type SetField = (key: string, value: unknown, again?: boolean) => void;
/** An event of the record by its number, and its place among those that came with it. */
export interface Moment {
  of: number;
  place: number;
}
export interface At extends Moment {
  lines: number;
}
/** The change that Save writes: where it is sent, and the event that the form shows. */
export interface Draft {
  path: "/api/events" | "/api/corrections";
  at: At | null;
  how: Correction["do"];
  events: FormEvent[];
  event: FormEvent | null;
}
/** A row of tiles that a palette changes; null is one that is still to be chosen. */
export interface SlotsWish {
  least: number;
  most: number;
  name: string;
  alone: boolean;
  changed: (tiles: (string | null)[]) => void;
}
export interface OpenRow {
  at: number | null;
  show: () => void;
  pick: (code: string) => void;
}

/** A piece of advice: what to do, and the tiles that it makes useful. */
export interface Advice {
  tile?: string;
  claim?: { tile: string; own?: string[] };
  waits?: { tile: string; left: number }[];
  useful?: string[];
}
export interface Hint extends AnnouncementView {
  discards: (Advice & { tile: string })[];
  now?: Advice | Advice[];
  claims?: Advice[];
  win?: { tile: string };
  flower?: string;
  copies?: { tile: string; left: number }[];
}
export interface OwnNews extends AnnouncementView {
  on_draw?: unknown;
  waits?: { refused?: unknown }[];
}

export type Side = "bottom" | "right" | "top" | "left";
export type Step = "camera" | "corners" | "players" | "start";
/** What is to be looked through: of these, a stream has its address. */
export type SourceAsked = CameraChoice | StreamChoice | RecordingChoice | OtherChoice;
/** What was entered on the set-up page, as this browser keeps it. */
export interface Kept {
  rules?: string;
  offered?: string;
  options?: Record<string, unknown>;
  names?: Record<string, string>;
  seat0?: string;
  twice?: string;
  twice_offered?: string;
  people?: string[];
  played?: string[];
  source?: { key: string; asked: SourceAsked };
  dealer: string;
}
/** A text by its key, and what stands in it. */
export type Said = [key: string, values?: Values];

/** What a camera page is told of the picture that it sent. */
export interface SentPicture {
  width: number;
  height: number;
  found: { corners: [number, number][] | null; faces: number; doubtful: number; findings: CheckView[] } | null;
  names?: string[];
  points?: number[];
}

/** A hall's table as it was told last, and when that came. */
export interface ShownRow {
  row: HallTableView;
  came: number;
}
/** A row of a list of people: their rank, where their page is, and their figures. */
export interface Ranked {
  rank: string;
  path: string;
  name: string;
  shown: Child[];
  rest: [string, string][];
}

/** A question that a reading left open. */
export interface FilmQuestion {
  id: string;
  t: number;
  choices: ChoiceView[];
  picture: string | null;
  tiles: string | null;
}
export interface AskedFilm {
  reading: number;
  film: string;
  questions: FilmQuestion[];
}
