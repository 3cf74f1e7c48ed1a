// Written by tests/support/wire_types.py.

export interface AgreedChange {
  clips?: boolean | null;
  of?: number | null;
  place?: number;
  spectators?: boolean | null;
}

export interface Agreement {
  clips: boolean;
  may_agree: boolean;
  said_no: boolean;
  spectators: boolean;
  link: string | null;
}

/** An announcement of the record's documentation, in words. ``key`` names it: it is the same after a reconnect, a restart, or a correction that leaves the announcement as it was. */
export interface AnnouncementView {
  of: number;
  kind: string;
  key: string;
  text: string;
  corrected?: boolean;
  withdrawn?: boolean;
  unsure?: boolean;
  rows?: Array<string>;
  why?: Array<string>;
  ledger?: Ledger;
  [more: string]: unknown;
}

/** One line of an answer: a set or a finished hand, the tiles it wants, and a sentence. */
export interface AnswerRow {
  mark: "yes" | "no" | "note";
  shown: Array<string>;
  wanted: Array<TilesLeftView>;
  text: string;
  term?: string;
  patterns?: Array<string>;
}

/** The number of a choice, counted from 1, or a tile. */
export interface AnswerToQuestion {
  id: string;
  answer: number | string;
}

export interface AnswerView {
  question: "claim" | "hand" | "plans" | "cards" | "happened";
  rows: Array<AnswerRow>;
}

/** A person's answers to the questions of one reading. */
export interface AnswersToFilm {
  answers: Array<AnswerToQuestion>;
}

/** How far an archive is, and some of its films in the order in which they were added. */
export interface ArchiveView {
  hands: number;
  questions: number;
  films: Record<string, number>;
  hours_read: number;
  left_s: number | null;
  rules: Array<string>;
  readings: Array<ReadingRow>;
  more: boolean;
}

/** What was chosen, without the address of a camera: it may hold a password. */
export interface AskedSource {
  kind: "camera" | "stream" | "recording" | "phone" | "sample";
  number?: number;
  name?: string;
}

export interface Begun {
  page: string;
}

export interface Behind {
  in: "win" | "never" | "steps" | "tiles" | "waits" | "no_step";
  steps?: number;
  left?: number;
  best?: number;
}

export interface CameraChoice {
  kind: "camera";
  number: number;
}

/** What a table is certified for, in one line. */
export interface CertificateView {
  grade: string | null;
  text: string;
  lapsed: Array<string>;
}

/** A change is meant for the record that the sender saw, which had so many lines. */
export interface Change {
  lines: number;
  ruled_by?: string;
}

export interface CheckView {
  name: string;
  value: number;
  shown: string;
  grade: "good" | "poor" | "bad";
  corners: Array<number>;
}

/** With the tiles that it wins with or improves by. */
export interface ChoiceCompared {
  name: string;
  role: "chosen" | "best" | "played";
  wins: boolean;
  distance: number | null;
  left: number;
  tiles: Array<TilesLeftView>;
  text: string;
}

/** What a discard may bring; chances from 0 to 1, points of the game. */
export interface ChoiceOdds {
  win: number;
  points: number;
  risk: number;
  loss: number;
  change: number;
}

/** A claim or a win. */
export interface ChoiceOffered {
  name: string;
  kind: string;
  tiles: Array<string>;
  ready: boolean;
}

export interface ChoiceView {
  told: Array<string | TileView>;
  share: number;
  nothing: boolean;
  deltas: Array<number> | null;
}

export interface ChosenAnswer {
  id: string;
  choice: number;
}

/** The clip of the evening: whether there is one, or why not. */
export interface ClipView {
  making: boolean;
  done: number;
  problem: string | null;
  seconds: number | null;
  kind: string | null;
  may_make: boolean;
  wins: number;
}

/** Have one made. */
export interface ClipWish {
}

/** A code to scan, and four letters to type in its place, which change every few minutes. */
export interface CodeToType {
  address: string;
  qr: string;
  code: string;
}

/** The address of a page, and its code for a phone. */
export interface CodeView {
  address: string;
  qr: string;
}

export interface Consequences {
  said: Array<AnnouncementView>;
  unsaid: Array<AnnouncementView>;
  turn: number | null;
  removed: Array<Array<string | TileView>>;
}

export interface CornersGiven {
  corners?: Array<[number, number]> | null;
}

/** Which event brought each tile, and what else a page needs to correct the record. */
export interface CorrectableView {
  undo: boolean;
  redo: boolean;
  rivers: Array<Array<[number, number]>>;
  sets: Array<Array<[number, number]>>;
  flowers: Array<Array<[number, number]>>;
  tiles: Array<string>;
}

export interface Correction {
  of: number;
  place?: number;
  lines: number;
  ruled_by?: string;
  do: "replace" | "insert" | "remove" | "confirm";
  events?: Array<Record<string, unknown>>;
  leftovers?: boolean;
}

/** What the seat knew at the decision, and nothing that came later. */
export interface DecisionAsked {
  step: number;
  seat: number;
  own_turn: boolean;
  hand: Array<string>;
  drawn: string | null;
  offers: Array<ChoiceOffered>;
  hand_number: number;
  table: PublicTable;
}

export interface DecisionJudged {
  chosen: string;
  played: string | null;
  gone: boolean;
  best: Array<string>;
  good: boolean;
  behind: Behind | null;
  like_played: boolean;
  why: string | null;
  hint: AnnouncementView;
  compared: Array<ChoiceCompared>;
}

export interface DecisionPlace {
  step: number;
  hand: number;
}

export interface DecisionsListed {
  seat: number;
  any: boolean;
  names: Array<string>;
  decisions: Array<DecisionPlace>;
}

export interface DiscardView {
  tile: string;
  ready: boolean;
  claimed_by: number | null;
}

/** It is done as asked; there is nothing to tell. */
export interface DoneView {
}

export interface EnteredView {
  page: string;
}

export interface EveningGameView {
  rules: string;
  options: Record<string, unknown>;
  names: Array<string>;
  hands: number;
  over: boolean;
}

/** What was played this evening, so that whoever starts the program again goes on with it. */
export interface EveningView {
  record: string;
  games: Array<EveningGameView>;
}

/** The pictures of a few seconds around an event, and who has ruled on it. */
export interface EventPictures {
  t: number | null;
  pictures: Array<PictureView>;
  ruled_by: Array<string>;
}

/** One event as everybody may see it, as JSON and in words. */
export interface EventView {
  number: number;
  place: number;
  by_person: boolean;
  ruled_by: Array<string>;
  t: number | null;
  confidence: number | null;
  event: Record<string, unknown>;
  seat: number | null;
  told: Array<string | TileView>;
  again: string | null;
}

export interface EventsView {
  lines: number;
  events: Array<EventView>;
}

export interface ExerciseChoiceView {
  name: string;
  tile: string | null;
  text: string;
}

/** A question with its right answers; ``why`` explains them row by row. */
export interface ExerciseView {
  topic: string;
  asks_hand: boolean;
  asks_table: boolean;
  tries: number;
  said: ExerciseChoiceView | null;
  seat: number;
  table: PublicTable;
  hand: Array<string>;
  drawn: string | null;
  shown: Array<string>;
  choices: Array<ExerciseChoiceView>;
  right: Array<string>;
  why: Array<AnswerRow>;
}

export interface ExpectedPoints {
  step: number;
  hand_number: number;
  points: number;
}

/** What a person said of one tile of a set laid out; counted from 1. */
export interface FaceGiven {
  picture: number;
  tile: number;
  face: string | null;
}

export interface FaceShare {
  tile: string;
  share: number;
}

export interface FilmQuestions {
  reading: number;
  film: string;
  questions: Array<Record<string, unknown>>;
}

/** What is told now; ``deal`` holds all steps up to the first turn, of which one is shown. */
export interface FirstHandView {
  on: boolean;
  deal: Array<StepView>;
  at: number;
  now: Array<StepView>;
  wrong: Array<string>;
}

export interface FirstHandWish {
  on?: boolean | null;
  at?: number | null;
}

export interface FoulRuling {
  of: number;
  place?: number;
  lines: number;
  ruled_by?: string;
  do: "confirm" | "cancel";
}

export interface FoulView {
  number: number;
  place: number;
  foul: boolean;
  confirmed: boolean;
  told: Array<string | TileView>;
  texts: Array<string>;
}

export interface FoulsView {
  lines: number;
  fouls: Array<FoulView>;
}

export interface FoundCamera {
  number: number;
  name: string;
}

/** Where the table is in the picture, and whether that is good enough. */
export interface FoundInPicture {
  width: number;
  height: number;
  corners: Array<Array<number>> | null;
  by_person: boolean;
  good: boolean;
  faces: number;
  doubtful: number;
  read: boolean;
  mirrored: boolean;
  findings: Array<CheckView>;
}

/** What holds from the start of a game or hand on, also where its line leaves it out. */
export interface GameBegins {
  first_dealer?: number;
  offered?: Array<RulesOffered>;
  dealer?: number;
  round?: string;
  honba?: number;
  staying?: number;
}

/** Which of the games that are studied shall be at the table, by its number. */
export interface GameChosen {
  number: number;
}

/** Rules, house rules and names with which a game can begin; no names where nobody said any. */
export interface GameOfferedView {
  rules: string;
  options: Record<string, unknown>;
  names: Array<string>;
}

export interface GameReport {
  view: GameView;
  over: boolean;
  ranking: string;
  places: Array<PlaceView>;
  settled: Array<PointsPaid>;
  hands: Array<HandReport>;
}

export interface GameView {
  rules: string;
  rules_title: string;
  shows: Shows;
  names: Array<string>;
  start: Array<number>;
  hands: Array<HandView>;
  points: Array<number>;
  places: Array<number> | null;
  ended: boolean;
}

export interface GuestWish {
  device: string;
  seat?: number | null;
}

export interface HallTableChange {
  title?: string;
  league?: number | null;
}

/** A table's row in the hall, without anything private to one seat. */
export interface HallTableView {
  rules: string;
  rules_title: string;
  name: string;
  title: string;
  league: number | null;
  record: string | null;
  lines: number;
  phase: string;
  hand: number;
  round: string;
  shows: Shows;
  dealer: number;
  names: Array<string>;
  points: Array<number>;
  said: Array<AnnouncementView>;
  since_line_s: number | null;
  needs: Array<Need>;
}

export interface HallView {
  type: "hall";
  tables: Array<HallTableView>;
}

/** A hand in its sets and pair, red fives as they are. */
export interface HandArranged {
  sets: Array<Array<string>>;
  won: Array<number>;
  wait: string;
}

export interface HandOfFilm {
  reading: number;
  film: string;
  address: string;
  begun_s: number | null;
  ended_s: number | null;
  rules: string;
  game: number;
  hand: number;
  round: string;
  dealer: number;
  outcome: string;
  reason: string | null;
  winners: string;
  patterns: string;
  player_0: string | null;
  player_1: string | null;
  player_2: string | null;
  player_3: string | null;
  points_0: number;
  points_1: number;
  points_2: number;
  points_3: number;
  problems: number;
  questions: number;
  gaps: number;
  result: string;
  pattern_titles: Record<string, string>;
  has_rounds: boolean;
}

/** What the page of a saved hand has beside its result. */
export interface HandReport {
  place: string;
  result: string;
  gaps: Array<string>;
  lines: Array<LineView>;
}

export interface HandStrip {
  lines: number;
  moments: Array<StoryMoment>;
}

export interface HandView {
  number: number;
  shows: Shows;
  round: string;
  first_dealer: number;
  dealer: number;
  staying: number;
  honba: number;
  pot: number;
  first: number;
  phase: string;
  wins: Array<WinView>;
  refused: Array<WinView>;
  drawn: string | null;
  payouts: Array<AnnouncementView>;
  look: string | null;
  problems: Array<AnnouncementView>;
  deltas: Array<number>;
  points: Array<number>;
  next: AnnouncementView | null;
  indicators: Array<IndicatorView>;
  names: Array<string>;
}

export interface HandsPlayed {
  lines: number;
  games: Array<GameView>;
}

export interface HandsView {
  hands: Array<HandOfFilm>;
  more: boolean;
}

export interface Health {
  status: "watching" | "ended" | "failed";
  source: string;
  problem: string | null;
  trouble: string | null;
  time_s: number | null;
  events: number;
  certificate: CertificateView | null;
  background: Array<JobFailing>;
}

export interface IndicatorView {
  kind: string;
  tile: string;
}

/** What fails now: since when, and why in one line. */
export interface JobFailing {
  name: string;
  since: string;
  error: string;
}

/** A key without its secret, for people. */
export interface KeyRow {
  id: number;
  role: string;
  table: string | null;
  label: string;
  made_s: number;
  revoked_s: number | null;
}

export interface LaidPicture {
  picture: number;
  tiles: Array<LaidTile>;
  missing: Array<string>;
}

export interface LaidTile {
  number: number;
  face: string | null;
  asked: boolean;
  crop: string;
}

export interface LeagueChange {
  films: boolean;
}

/** A finished game. */
export interface LeagueGame {
  table: string;
  table_name: string | null;
  ended_s: number;
  players: Array<SeatResult>;
}

export interface LeagueOfRecord {
  record: string;
  league?: number | null;
}

export interface LeaguePage {
  league: LeagueRow;
  people: Array<StandingView>;
  games: Array<LeagueGame>;
}

/** A season of a league; games by other rules than its own do not count. */
export interface LeagueRow {
  id: number;
  name: string;
  season: string;
  rules: string;
  rules_title: string;
  films: boolean;
}

export interface LearnPage {
  name: string;
  title: string;
  rows: Array<LearnRow>;
}

/** One line of a page; the tiles of a group stand together. */
export interface LearnRow {
  mark: "yes" | "no" | "note";
  head: string;
  groups: Array<Array<NamedTile>>;
  text: string;
  term: string;
}

/** The pages about one game, in order. */
export interface LearnView {
  rules: string;
  games: Record<string, string>;
  pages: Array<LearnPage>;
  set: Array<string>;
  table: boolean;
}

/** A hand as its player's page shows it now. */
export interface LearnerHand {
  hand: Array<string>;
  apart: string | null;
  melds: Array<Array<string>>;
  waits: Array<TilesLeftView>;
  unseen: boolean;
  why: string | null;
}

/** Three lines about one player's evening, and the mistakes by kind. */
export interface LearnerReport {
  seat: number;
  kinds: Array<MistakesOfKind>;
  well: string;
  cost: string;
  practise: string;
  rules: string;
  topic: string | null;
}

export interface LearnerView {
  seat: number;
  shares: boolean;
  learnt: Array<LearntView>;
  wrong: Array<WrongView>;
  hand: LearnerHand | null;
}

/** What a browser keeps of one game: pages that were read, topics that were solved. */
export interface LearntGame {
  rules: string;
  read?: Array<string>;
  solved?: Array<string>;
}

/** How far a player is in one game. */
export interface LearntView {
  rules: string;
  title: string;
  read: number;
  pages: number;
  solved: Array<string>;
  of: number;
}

/** What a payout consists of, as each rule set counts it. */
export interface Ledger {
  rows: Array<[string, string]>;
  worth: string | null;
  [more: string]: unknown;
}

/** The lesson of one game, and what it asks now. */
export interface LessonView {
  rules: string;
  games: Record<string, string>;
  topics: Array<string>;
  asked: ExerciseView | null;
  set: Array<string>;
  may_set: boolean;
}

export interface LessonWish {
  topics: Array<string>;
}

/** An event with what was made known by it, in words. */
export interface LineView {
  number: number;
  time: string;
  told: Array<string | TileView>;
  doubt: number | null;
  picture: string | null;
  problems: Array<string>;
  ruled_by: Array<string>;
  said: Array<string>;
}

export interface LinesWritten {
  number: number;
  lines: number;
  corrected: number | null;
  said: Array<AnnouncementView>;
}

export interface MadeKeyView {
  role: "public" | "viewer" | "table" | "admin";
  table: string | null;
  key: string;
}

export interface MeldView {
  kind: string;
  tiles: Array<string>;
  claimed: string | null;
  from: number | null;
}

export interface MirroredGiven {
  mirrored: boolean;
}

export interface MistakeView {
  step: number;
  hand_number: number;
  played: string | null;
  behind: Behind;
}

/** How often one kind of mistake was made, and the dearest of them. */
export interface MistakesOfKind {
  kind: "win" | "never" | "steps" | "tiles" | "waits" | "no_step";
  count: number;
  hand: number;
}

export interface NameOfPlayer {
  name: string;
}

export interface NamedTile {
  tile: string;
  name: string;
}

/** A reason why somebody should go to a table. */
export interface Need {
  what: "trouble" | "silent" | "still" | "questions" | "fouls";
  text?: string;
  kind?: "moved" | "swing" | "lost" | "frozen" | "slow" | "busy" | "gap" | "light" | "noise" | "focus" | "tint" | "grey" | "size" | "gone" | "battery" | "warm" | "unseen" | "mirrored" | "cut" | "replay" | "unwritten" | "crashed" | "stopped" | null;
  count?: number;
}

export interface NetworkView {
  address: string | null;
  name: string | null;
  trusted: boolean;
}

export interface NetworkWish {
  serve: true;
}

export interface NewEvent {
  lines: number;
  ruled_by?: string;
  event: Record<string, unknown>;
}

export interface NewKey {
  role: "public" | "viewer" | "table" | "admin";
  table?: string | null;
  label?: string;
}

export interface NewLeague {
  name: string;
  season: string;
  rules: string;
  films?: boolean;
}

export interface NewTable {
  name: string;
  title?: string;
}

export interface NextGame {
  lines: number;
  ruled_by?: string;
  names?: Array<string> | null;
}

/** An event in force: number of its line, and place among those that replace that line. */
export interface OneEvent {
  of: number;
  place?: number;
}

export interface OpenQuestions {
  lines: number;
  questions: Array<QuestionView>;
}

export interface OptionOffered {
  name: string;
  default: unknown;
  values: Array<unknown>;
  numbers: boolean;
  group: string;
}

export interface OtherChoice {
  kind: "phone" | "sample";
}

export interface OtherPlayer {
  other: number;
}

/** The camera of one seat, as its page shows it. */
export interface OwnCameraStatus {
  watching: boolean;
  sees: number;
  problem: string | null;
}

/** One of these. */
export interface PadChange {
  moved?: Array<number> | null;
  removed?: number | null;
  was?: Array<number> | null;
  over?: true | null;
  hand?: string | null;
  right?: "read" | "written" | "neither" | null;
}

export interface PagesView {
  type: "pages";
  pages: Array<TableView>;
}

export interface PeopleRated {
  people: Array<Person>;
  rules: Array<string>;
}

/** One person over all of their finished games. */
export interface Person {
  hands?: number;
  wins?: number;
  self_draws?: number;
  dealt_in?: number;
  won_points?: number;
  paid_points?: number;
  called?: number;
  ready?: number;
  id: number;
  name: string;
  rank?: number;
  rating: number;
  games: number;
  points: number | null;
  average_place: number | null;
  places: Array<number>;
  average_won: number | null;
  average_paid: number | null;
  decisions: number;
  mistakes: number;
}

/** One finished game of a person. */
export interface PersonGame {
  hands?: number;
  wins?: number;
  self_draws?: number;
  dealt_in?: number;
  won_points?: number;
  paid_points?: number;
  called?: number;
  ready?: number;
  table: string;
  record: string;
  ended_s: number;
  rules: string;
  place: number;
  points: number;
  rating: number;
  decisions: number;
  mistakes: number;
}

/** Everything that is kept of a person. */
export interface PersonPage {
  person: Person;
  names: Array<string>;
  games: Array<PersonGame>;
}

export interface PictureChecked {
  problem: string | null;
  found: FoundInPicture | null;
}

export interface PictureView {
  number: number;
  t: number;
}

export interface PlaceView {
  place: number;
  seat: number;
  name: string;
  points: number;
  change: number;
}

/** What one player did in the hands of one rule set. */
export interface PlayerRow {
  player: string;
  rules: string;
  hands: number;
  won: number;
  points: number;
}

export interface PlayerView {
  hand: Array<string>;
  drawn: string | null;
  shown: boolean;
  ready: boolean;
  melds: Array<MeldView>;
  river: Array<DiscardView>;
}

/** The names of seats 0 to 3; an empty one for nobody. */
export interface PlayersOfFilm {
  names: Array<string>;
}

export interface PointsPaid {
  from: string;
  to: string;
  points: number;
}

/** Lines of a record, from number ``first`` on. */
export interface Post {
  record: string;
  from: number;
  lines: Array<Record<string, unknown>>;
}

/** The hand as the learner sees it: the own tiles, and what lies on the table. */
export interface PracticeView {
  hand: string;
  rules: string;
  games: Record<string, string>;
  seat: number;
  table: PublicTable;
  tiles: Array<string>;
  drawn: string | null;
  discards: Array<string>;
  offers: Array<ChoiceOffered>;
  happened: Array<Array<string | TileView>>;
  why: string | null;
  hint: AnnouncementView | null;
  said: Array<AnnouncementView>;
  over: boolean;
  deltas: Array<number>;
}

/** What the learner does in a hand against simple players. */
export interface PracticeWish {
  rules?: string;
  hand?: string;
  do?: string;
}

/** What the browser of a player keeps of lessons; it is shared while the player agrees. */
export interface Progress {
  games?: Array<LearntGame>;
  wrong?: Array<WrongAnswer>;
}

/** The table as a person who walks around it sees it. */
export interface PublicTable {
  rules: string;
  phase: string;
  hand: number;
  round: string;
  dealer: number;
  first_dealer: number;
  staying: number;
  honba: number;
  turn: number;
  wall_left: number;
  tiles_left: number;
  points: Array<number>;
  places: Array<number>;
  pot: number;
  names: Array<string>;
  winners: Array<number>;
  wins: Array<WinDeclared>;
  indicators: Array<IndicatorView>;
  wild: Array<string>;
  last_discard: SeatTile | null;
  players: Array<PlayerView>;
  shows: Shows;
}

export interface QuestionView {
  id: string;
  t: number;
  of: [number, number] | null;
  choices: Array<ChoiceView>;
  opens: boolean;
  asks: string;
  why: string | null;
  spoken: string;
}

export interface ReadAgain {
  picture: number;
  tiles: Array<TileRead>;
  part: string;
}

/** How copies are read, as shares of them. */
export interface ReadShares {
  right: number;
  unknown: number;
  wrong: number;
}

/** One reading, for people. */
export interface ReadingRow {
  id: number;
  film: string;
  address: string;
  state: string;
  read_s: number;
  hands: number;
  questions: number;
  result: string | null;
  error: string | null;
  players: Array<string>;
}

export interface RecordLengthView {
  record: string;
  lines: number;
}

/** One record of a table. */
export interface RecordRow {
  id: number;
  name: string;
  lines: number;
  league: number | null;
}

export interface RecordingChoice {
  kind: "recording";
  name: string;
}

/** Why there is no answer, in one sentence. */
export interface Refusal {
  detail: string;
}

/** Where a rehearsal is, in words. */
export interface RehearsalView {
  step: "lay_out" | "card" | "settles" | "over";
  at: number;
  of: number;
  text: string;
  result: Array<string>;
  grade: string | null;
}

export interface RehearsalWish {
  done?: number | null;
  stop?: boolean;
}

export interface ReplayStep {
  number: number;
  t: number | null;
  event: string;
  hand: number | null;
  told: Array<string | TileView>;
}

export interface ReplaySteps {
  lines: number;
  steps: Array<ReplayStep>;
}

export interface RereadView {
  was: Array<Array<string | TileView>>;
  now: Array<Array<string | TileView>>;
}

export interface ReviewView {
  seat: number;
  source: string | null;
  expected: Array<ExpectedPoints>;
  costliest: Array<ReviewedView>;
}

export interface ReviewedView {
  step: number;
  hand_number: number;
  played: string;
  best: string;
  cost: number;
  stance: "push" | "fold" | null;
  played_odds: ChoiceOdds;
  best_odds: ChoiceOdds;
}

/** In shares of the picture's width, height and width. */
export interface RingView {
  x: number;
  y: number;
  radius: number;
}

export interface RowView {
  type: "row";
  table: HallTableView;
}

export type RowsMessage = HallView | RowView;

export interface RulesOffered {
  id: string;
  game: string;
  options: Array<OptionOffered>;
}

export interface RulesStandings {
  rules: string;
  people: Array<StandingView>;
  tonight: Array<StandingView>;
  payments: Array<PointsPaid>;
}

export interface RunningGame {
  source: string;
  record: string;
}

export interface SavedChoice {
  told: Array<string | TileView>;
  percent: number;
}

/** A question of a saved page; pictures are ``data:`` addresses. */
export interface SavedQuestion {
  number: number;
  time: string;
  picture: string | null;
  upright: string | null;
  why: string | null;
  choices: Array<SavedChoice>;
  tiles: Array<string>;
}

/** All that the script of a saved page shows. */
export interface SavedReport {
  title: string;
  until: string | null;
  games: Array<GameReport>;
  questions: Array<SavedQuestion>;
  asked: Record<string, unknown>;
  again: string | null;
  stories: string;
  seal: string | null;
  rehearsed: string | null;
  twice: string | null;
}

export interface SeatAddress {
  address: string;
  qr: string | null;
  code: string | null;
  seat: number;
  taken: boolean;
}

/** For one seat alone, while nothing happens at the table. */
export interface SeatNews {
  type: "mine";
  mine: SeatView;
  camera_refused?: string;
  camera_at?: CodeView;
}

/** The result of one seat in a finished game. */
export interface SeatResult {
  player: number | null;
  name: string | null;
  place: number;
  points: number;
}

/** How the hand came out for this seat, and the game where it is over. */
export interface SeatResultView {
  won: boolean;
  delta: number;
  points: number;
  place: number | null;
  place_shared: boolean;
}

export interface SeatTile {
  seat: number;
  tile: string;
}

/** What one seat knows beyond the public table. */
export interface SeatView {
  waits: Array<TilesLeftView>;
  hint: AnnouncementView | null;
  why: string | null;
  seat: number;
  phase: string;
  hand_number: number;
  hand: Array<string>;
  apart: string | null;
  indicators: Array<IndicatorView>;
  said: Array<AnnouncementView>;
  result: SeatResultView | null;
  no_hint: string | null;
  camera?: OwnCameraStatus | null;
  shares?: boolean;
}

export interface SeatsForGuests {
  names: Array<string>;
  taken: Array<number>;
  seat: number | null;
  key: string | null;
  playing: boolean;
  back: number | null;
}

/** What a set gains by its profile, which lies in a file. */
export interface SetGain {
  kinds: number;
  tiles: number;
  copies: number;
  from_other_pictures: boolean;
  uses_profile: boolean;
  before: ReadShares;
  after: ReadShares;
  confusions: Array<[string, string, number]>;
  file: string;
}

export interface SetGiven {
  names?: Array<FaceGiven>;
}

export interface SetUpOffered {
  cameras: Array<FoundCamera>;
  recordings: Array<string>;
  records: Array<string>;
  last: GameOfferedView | null;
  evening: EveningView | null;
  sample: GameOfferedView | null;
  rules: Array<RulesOffered>;
  rule_set: string;
  lang: string;
  read_twice: number | null;
  running: RunningGame | null;
  goes_on: boolean;
  tried: TriedSource | null;
  network: NetworkView | null;
}

/** A hand that was read, that somebody wrote down, or both. */
export interface ShadowHand {
  name: string;
  game: number | null;
  hand: number | null;
  event: number | null;
  read: Array<number> | null;
  written: Array<number> | null;
  agree: boolean;
  judged: "read" | "written" | "neither" | null;
}

/** The pad; what was read stands beside it once the evening is over. */
export interface ShadowView {
  over: boolean;
  names: Array<string>;
  rows: Array<Array<number>>;
  ended: boolean;
  problem: string | null;
  trouble_kind: "moved" | "swing" | "lost" | "frozen" | "slow" | "busy" | "gap" | "light" | "noise" | "focus" | "tint" | "grey" | "size" | "gone" | "battery" | "warm" | "unseen" | "mirrored" | "cut" | "replay" | "unwritten" | "crashed" | "stopped" | null;
  hands: Array<ShadowHand>;
  tonight: ShareView | null;
  evenings: ShareView | null;
}

export interface ShareView {
  right: number;
  of: number;
  at_least: number;
}

export interface SharingView {
  on: boolean;
}

export interface SharingWish {
  on?: boolean | null;
  progress?: Progress | null;
}

/** What a page shows of a game besides tiles and points (``PageNeeds``). */
export interface Shows {
  ready_word: string;
  vocabulary: string;
  round: boolean;
  honba: boolean;
  staying_from: number;
  exports: Array<string>;
  hand_size: number;
}

/** What the games of one person add up to. */
export interface StandingView {
  player: number | null;
  name: string;
  rank: number;
  games: number;
  points: number;
  places: Array<number>;
  average_points: number;
  average_place: number;
}

/** Results of people, and what settles tonight: who pays whom how many points. */
export interface Standings {
  people: Array<StandingView>;
  payments: Array<PointsPaid>;
  by_rules: Array<RulesStandings>;
  unreadable: Array<string>;
}

/** A game to begin. The engine checks its rules, options and first dealer. */
export interface StartRequest {
  rules?: unknown;
  options?: unknown;
  names?: Array<string>;
  seat0?: "bottom" | "right" | "top" | "left";
  first_dealer?: unknown;
  lang?: string | null;
  read_twice?: number | null;
  hurry?: boolean;
  sample?: boolean;
  evening?: string | null;
  open?: unknown;
  lessons?: string | null;
  rehearse?: boolean;
  replace?: boolean;
}

export interface StatusView {
  ended: boolean;
  problem: string | null;
  trouble_kind: "moved" | "swing" | "lost" | "frozen" | "slow" | "busy" | "gap" | "light" | "noise" | "focus" | "tint" | "grey" | "size" | "gone" | "battery" | "warm" | "unseen" | "mirrored" | "cut" | "replay" | "unwritten" | "crashed" | "stopped" | null;
}

/** One step: a sentence and the tiles that are drawn beside it. */
export interface StepView {
  code: string;
  text: string;
  groups: Array<Array<string>>;
  turned: number | null;
}

export interface StoryMoment {
  number: number;
  step: number;
  time: string;
  told: Array<string | TileView>;
  said: Array<string>;
  picture: string | null;
  table: PublicTable | null;
}

export interface StreamChoice {
  kind: "stream";
  address: string;
}

/** One of several played games that are studied. */
export interface StudiedGameView {
  rules: string;
  options: Record<string, unknown>;
  names: Array<string>;
  hands: number;
  over: boolean;
  number: number;
  of: string;
  day: string | null;
  shown: boolean;
  may_choose: boolean;
}

/** What a table reports about itself beside its record. */
export interface TableCondition {
  trouble?: string | null;
  trouble_kind?: "moved" | "swing" | "lost" | "frozen" | "slow" | "busy" | "gap" | "light" | "noise" | "focus" | "tint" | "grey" | "size" | "gone" | "battery" | "warm" | "unseen" | "mirrored" | "cut" | "replay" | "unwritten" | "crashed" | "stopped" | null;
  questions?: number;
  unsure?: UnsurePayouts | null;
}

export interface TableCorners {
  corners: Array<Array<number>>;
}

export type TableMessage = TableView | SeatNews;

/** A table as the holder of one grant sees it, whole: each takes the place of the one before. */
export interface TableView {
  rules: string;
  rules_title: string;
  type: "table";
  name: string;
  title: string;
  lang: string;
  record: string;
  lines: number;
  has_next: boolean;
  back: boolean;
  watched_s: number | null;
  status: StatusView;
  table: PublicTable;
  happened: Array<EventView>;
  announced: Array<AnnouncementView>;
  said: Array<AnnouncementView>;
  also: Array<RereadView>;
  may_mend: boolean;
  acts: CorrectableView | null;
  questions: Array<QuestionView>;
  mine: SeatView | null;
  led: boolean;
  taught: boolean;
  picture: number | null;
  certificate: CertificateView | null;
  read_twice: string | null;
}

export interface TeacherView {
  names: Array<string>;
  rules: string;
  plays: boolean;
  learners: Array<LearnerView>;
  topics: Array<string>;
  set: Array<string>;
}

export interface TeacherWish {
  device: string;
}

export interface TileRead {
  tile: string;
  likely: Array<FaceShare>;
  ring: RingView;
  part: string;
}

/** A tile that is drawn between words. */
export interface TileView {
  tile: string;
}

/** A tile that is good to have, and how many of it are left. */
export interface TilesLeftView {
  tile: string;
  left: number;
}

/** The source that is tried out, so that a page that is loaded again goes on with it. */
export interface TriedSource {
  name: string;
  asked: AskedSource | null;
  address?: string;
  qr?: string;
  trusted?: boolean;
}

export interface TypedCode {
  code: string;
}

/** Payouts that a table asks, because its rehearsal does not let them stand. */
export interface UnsurePayouts {
  record: string;
  lines: Array<number>;
}

export type WatchMessage = PagesView | TableView;

export interface WayToCorrect {
  do: "replace" | "insert" | "remove" | "confirm";
  problems: number | null;
  events: Array<Record<string, unknown>>;
  told: Array<Array<string | TileView>>;
}

export interface WaysToCorrect {
  lines: number;
  event: Record<string, unknown>;
  stands: GameBegins;
  problems: number;
  ways: Array<WayToCorrect>;
}

export interface WinDeclared {
  seat: number;
  from: number;
  tile: string;
}

export interface WinView {
  event: number | null;
  seat: number;
  from: number;
  tile: string;
  hand: Array<string> | null;
  laid: HandArranged | null;
  melds: Array<MeldView>;
}

/** A wrong answer of a lesson: how many times the topic had been answered wrongly before. */
export interface WrongAnswer {
  rules: string;
  topic: string;
  tries: number;
  chosen: string;
}

/** A wrong answer of a lesson, beside the right one; in words, or as the code of a tile. */
export interface WrongView {
  title: string;
  topic: string;
  chosen: string;
  right: Array<string>;
}

/** Method, address, answer and body of each request that scripts make with JSON. */
export type Routes =
  | ["GET", `/api/table`, PublicTable, null]
  | ["GET", `/api/events`, EventsView, null]
  | ["POST", `/api/events`, LinesWritten, NewEvent]
  | ["GET", `/api/events/${string}/ways`, WaysToCorrect, null]
  | ["GET", `/api/fouls`, FoulsView, null]
  | ["POST", `/api/fouls`, LinesWritten, FoulRuling]
  | ["POST", `/api/events/preview`, Consequences, NewEvent]
  | ["POST", `/api/corrections`, LinesWritten, Correction]
  | ["POST", `/api/corrections/preview`, Consequences, Correction]
  | ["POST", `/api/undo`, LinesWritten, Change]
  | ["POST", `/api/redo`, LinesWritten, Change]
  | ["POST", `/api/next`, LinesWritten, NextGame]
  | ["GET", `/api/questions`, OpenQuestions, null]
  | ["POST", `/api/answers`, RecordLengthView, ChosenAnswer]
  | ["GET", `/api/events/${string}/pictures`, EventPictures, null]
  | ["POST", `/api/corners`, RecordLengthView, TableCorners]
  | ["POST", `/api/reread`, ReadAgain, OneEvent]
  | ["GET", `/api/games`, Array<StudiedGameView>, null]
  | ["POST", `/api/games`, DoneView, GameChosen]
  | ["GET", `/api/hands`, HandsPlayed, null]
  | ["GET", `/api/standings`, Standings, null]
  | ["GET", `/api/replay`, ReplaySteps, null]
  | ["GET", `/api/replay/${string}`, TableView, null]
  | ["GET", `/api/download/${string}`, string, null]
  | ["GET", `/api/agreed`, Agreement, null]
  | ["POST", `/api/agreed`, Agreement, AgreedChange]
  | ["GET", `/api/hands/${string}/story`, HandStrip, null]
  | ["GET", `/api/highlights`, ClipView, null]
  | ["POST", `/api/highlights`, DoneView, ClipWish]
  | ["DELETE", `/api/highlights`, DoneView, null]
  | ["GET", `/api/drill`, DecisionsListed, null]
  | ["GET", `/api/drill/mistakes`, Array<MistakeView>, null]
  | ["GET", `/api/drill/review`, ReviewView, null]
  | ["GET", `/api/drill/${string}`, DecisionAsked | DecisionJudged, null]
  | ["GET", `/api/teach/${string}`, AnswerView, null]
  | ["GET", `/api/lessons`, LessonView, null]
  | ["POST", `/api/lessons`, Array<string>, LessonWish]
  | ["GET", `/api/learn`, LearnView, null]
  | ["POST", `/api/practice`, PracticeView, PracticeWish]
  | ["GET", `/api/first-hand`, FirstHandView, null]
  | ["POST", `/api/first-hand`, FirstHandView, FirstHandWish]
  | ["GET", `/api/rehearsal`, RehearsalView | null, null]
  | ["POST", `/api/rehearsal`, RehearsalView, RehearsalWish]
  | ["GET", `/api/seats`, Array<SeatAddress>, null]
  | ["GET", `/api/links`, Record<string, CodeToType>, null]
  | ["POST", `/api/guest`, SeatsForGuests, GuestWish]
  | ["GET", `/api/shadow`, ShadowView, null]
  | ["POST", `/api/shadow`, ShadowView, PadChange]
  | ["GET", `/api/sharing`, SharingView, null]
  | ["POST", `/api/sharing`, SharingView, SharingWish]
  | ["POST", `/api/teacher`, TeacherView, TeacherWish]
  | ["POST", `/api/teacher/report`, Array<LearnerReport>, TeacherWish]
  | ["GET", `/health`, Health, null]
  | ["GET", `/api/v1/tables`, HallView, null]
  | ["POST", `/api/v1/tables`, MadeKeyView, NewTable]
  | ["GET", `/api/v1/tables/${string}`, TableView, null]
  | ["PUT", `/api/v1/tables/${string}`, DoneView, HallTableChange]
  | ["GET", `/api/v1/tables/${string}/lines`, RecordLengthView, null]
  | ["POST", `/api/v1/tables/${string}/lines`, RecordLengthView, Post]
  | ["POST", `/api/v1/tables/${string}/condition`, DoneView, TableCondition]
  | ["GET", `/api/v1/tables/${string}/records`, Array<RecordRow>, null]
  | ["PUT", `/api/v1/tables/${string}/league`, DoneView, LeagueOfRecord]
  | ["GET", `/api/v1/keys`, Array<KeyRow>, null]
  | ["POST", `/api/v1/keys`, MadeKeyView, NewKey]
  | ["DELETE", `/api/v1/keys/${string}`, DoneView, null]
  | ["GET", `/api/v1/leagues`, Array<LeagueRow>, null]
  | ["POST", `/api/v1/leagues`, LeagueRow, NewLeague]
  | ["GET", `/api/v1/rules`, Array<string>, null]
  | ["PUT", `/api/v1/leagues/${string}`, DoneView, LeagueChange]
  | ["GET", `/api/v1/leagues/${string}`, LeaguePage, null]
  | ["GET", `/api/v1/players`, PeopleRated, null]
  | ["GET", `/api/v1/players/${string}`, PersonPage, null]
  | ["PUT", `/api/v1/players/${string}`, DoneView, NameOfPlayer]
  | ["DELETE", `/api/v1/players/${string}`, DoneView, null]
  | ["POST", `/api/v1/players/${string}/join`, DoneView, OtherPlayer]
  | ["POST", `/api/v1/players/${string}/part`, DoneView, NameOfPlayer]
  | ["GET", `/api/v1/archive`, ArchiveView, null]
  | ["GET", `/api/v1/archive/hands`, HandsView, null]
  | ["GET", `/api/v1/archive/players`, Array<PlayerRow>, null]
  | ["POST", `/api/v1/archive/readings/${string}/players`, DoneView, PlayersOfFilm]
  | ["GET", `/api/v1/archive/questions`, Array<FilmQuestions>, null]
  | ["POST", `/api/v1/archive/readings/${string}/answers`, DoneView, AnswersToFilm]
  | ["GET", `/api/setup`, SetUpOffered, null]
  | ["POST", `/api/setup/start`, Begun, StartRequest]
  | ["POST", `/api/setup/network`, NetworkView, NetworkWish]
  | ["POST", `/api/setup/source`, TriedSource, CameraChoice | StreamChoice | RecordingChoice | OtherChoice]
  | ["PUT", `/api/setup/recordings/${string}`, TriedSource, null]
  | ["PUT", `/api/setup/records/${string}`, string, null]
  | ["GET", `/api/setup/check`, PictureChecked, null]
  | ["POST", `/api/setup/corners`, DoneView, CornersGiven]
  | ["POST", `/api/setup/mirrored`, DoneView, MirroredGiven]
  | ["GET", `/api/setup/set`, Record<string, string>, null]
  | ["POST", `/api/setup/set`, SetGain, SetGiven]
  | ["POST", `/api/setup/set/pictures`, LaidPicture, null]
  | ["DELETE", `/api/setup/set/pictures`, DoneView, null]
  | ["POST", `/api/code`, EnteredView, TypedCode]
  ;

/** Elements of pages by their id; two pages may give one id to different elements. */
export interface Elements {
  "add": HTMLButtonElement;
  "add-league": HTMLFormElement;
  "add-table": HTMLFormElement;
  "advice": HTMLOListElement;
  "again": HTMLParagraphElement & HTMLButtonElement;
  "alike": HTMLParagraphElement;
  "all-codes": HTMLDetailsElement;
  "all-figures": HTMLElement;
  "all-mistakes": HTMLButtonElement;
  "also": HTMLDivElement;
  "always": HTMLInputElement;
  "answer": HTMLElement;
  "answers": HTMLFormElement;
  "as-preset": HTMLButtonElement;
  "ask": HTMLButtonElement;
  "asked": HTMLButtonElement;
  "asked-title": HTMLButtonElement;
  "asks": HTMLParagraphElement;
  "back": HTMLAnchorElement & HTMLButtonElement & HTMLDivElement;
  "bar": HTMLProgressElement & HTMLOListElement;
  "battery": HTMLParagraphElement;
  "because": HTMLDivElement;
  "before": HTMLButtonElement;
  "before-deal": HTMLParagraphElement;
  "begin": HTMLButtonElement;
  "beside": HTMLElement;
  "best": HTMLParagraphElement;
  "camera": HTMLDivElement;
  "camera-link": HTMLElement;
  "camera-off": HTMLButtonElement;
  "camera-on": HTMLButtonElement;
  "camera-state": HTMLParagraphElement;
  "camera-title": HTMLHeadingElement;
  "card": HTMLDialogElement;
  "card-close": HTMLButtonElement;
  "card-code": HTMLElement;
  "card-print": HTMLButtonElement;
  "card-title": HTMLHeadingElement;
  "cards": HTMLDivElement;
  "certified": HTMLSpanElement;
  "changed": HTMLDivElement;
  "changes": HTMLUListElement;
  "chapters": HTMLElement;
  "chart": HTMLDivElement;
  "chart-section": HTMLElement;
  "chart-title": HTMLHeadingElement;
  "chosen": HTMLElement;
  "claimed": HTMLInputElement;
  "clip": HTMLElement;
  "clip-done": HTMLProgressElement;
  "clip-said": HTMLParagraphElement;
  "clip-shown": HTMLDivElement;
  "clip-taps": HTMLParagraphElement;
  "clip-title": HTMLHeadingElement;
  "clips": HTMLParagraphElement;
  "clips-again": HTMLParagraphElement;
  "codes": HTMLDivElement;
  "command": HTMLElement;
  "compared": HTMLOListElement;
  "complaint": HTMLParagraphElement;
  "corners": HTMLDivElement;
  "corners-close": HTMLButtonElement;
  "corners-dialog": HTMLDialogElement;
  "corners-picture": HTMLCanvasElement;
  "corners-problem": HTMLParagraphElement;
  "corners-title": HTMLHeadingElement;
  "costliest": HTMLOListElement;
  "count": HTMLSpanElement;
  "csv": HTMLAnchorElement;
  "deal": HTMLDivElement;
  "deal-codes": HTMLDivElement;
  "decide": HTMLElement;
  "differ": HTMLOListElement;
  "downloads": HTMLElement;
  "downloads-title": HTMLHeadingElement;
  "empty": HTMLParagraphElement;
  "evening": HTMLElement;
  "evening-games": HTMLOListElement;
  "evening-title": HTMLHeadingElement;
  "events": HTMLOListElement;
  "every": HTMLDetailsElement;
  "everybody": HTMLOListElement;
  "expected": HTMLElement;
  "failing": HTMLParagraphElement;
  "figures": HTMLElement;
  "file": HTMLAnchorElement;
  "film-over": HTMLParagraphElement;
  "films": HTMLOListElement;
  "final": HTMLDivElement;
  "findings": HTMLUListElement;
  "findings-good": HTMLUListElement;
  "first": HTMLElement;
  "first-dealer": HTMLSelectElement;
  "first-hand": HTMLElement;
  "first-title": HTMLHeadingElement;
  "fix": HTMLButtonElement;
  "foot": HTMLDivElement;
  "forget": HTMLButtonElement;
  "forms": HTMLDivElement;
  "fouls": HTMLButtonElement;
  "found": HTMLParagraphElement;
  "game": HTMLSelectElement;
  "games": HTMLTableElement & HTMLDivElement;
  "games-title": HTMLHeadingElement;
  "glance": HTMLCanvasElement;
  "glossary": HTMLElement;
  "go": HTMLButtonElement;
  "go-on": HTMLButtonElement;
  "guest": HTMLElement;
  "guest-seats": HTMLDivElement;
  "guest-title": HTMLHeadingElement;
  "guest-watch": HTMLAnchorElement;
  "hand": HTMLDivElement & HTMLParagraphElement;
  "hand-back": HTMLButtonElement;
  "hand-on": HTMLButtonElement;
  "hand-row": HTMLDivElement;
  "handles": HTMLDivElement;
  "hands": HTMLOListElement & HTMLTableElement & HTMLDivElement;
  "happened": HTMLOListElement;
  "hint": HTMLButtonElement;
  "house": HTMLDetailsElement;
  "house-forget": HTMLButtonElement;
  "house-name": HTMLInputElement;
  "house-save": HTMLButtonElement;
  "how": HTMLDetailsElement;
  "hurry": HTMLInputElement;
  "hurry-line": HTMLElement;
  "join": HTMLFormElement;
  "keys": HTMLTableElement;
  "known": HTMLDataListElement;
  "language": HTMLSelectElement;
  "lapsed": HTMLParagraphElement;
  "late": HTMLDivElement;
  "late-type": HTMLParagraphElement;
  "lead": HTMLInputElement;
  "learners": HTMLElement;
  "leave": HTMLAnchorElement;
  "light-none": HTMLParagraphElement;
  "line": HTMLParagraphElement;
  "link": HTMLButtonElement;
  "link-said": HTMLSpanElement;
  "links": HTMLDivElement;
  "log": HTMLElement;
  "lost-phones": HTMLDetailsElement;
  "make": HTMLButtonElement;
  "make-key": HTMLFormElement;
  "make-review": HTMLButtonElement;
  "making": HTMLSpanElement;
  "manage": HTMLElement;
  "meant": HTMLParagraphElement;
  "mend": HTMLDialogElement;
  "mend-close": HTMLButtonElement;
  "mend-content": HTMLDivElement;
  "mend-follows": HTMLDivElement;
  "mend-problem": HTMLParagraphElement;
  "mend-save": HTMLButtonElement;
  "mend-title": HTMLHeadingElement;
  "mend-told": HTMLDivElement;
  "menu": HTMLDivElement;
  "mirrored": HTMLInputElement;
  "mistakes": HTMLOListElement;
  "mistakes-said": HTMLSpanElement;
  "moment": HTMLButtonElement;
  "moment-picture": HTMLImageElement;
  "moment-time": HTMLSpanElement;
  "more": HTMLButtonElement;
  "more-advice": HTMLDetailsElement;
  "more-films": HTMLButtonElement;
  "more-hands": HTMLButtonElement;
  "more-tables": HTMLDetailsElement;
  "moves": HTMLOListElement;
  "named": HTMLParagraphElement;
  "names": HTMLParagraphElement & HTMLDivElement;
  "names-says": HTMLParagraphElement;
  "needs": HTMLUListElement;
  "network": HTMLDivElement;
  "new-phone": HTMLDialogElement;
  "new-phone-close": HTMLButtonElement;
  "new-phone-code": HTMLElement;
  "new-phone-title": HTMLHeadingElement;
  "new-phones": HTMLDivElement;
  "next": HTMLButtonElement;
  "no-clips": HTMLButtonElement;
  "no-hand": HTMLParagraphElement;
  "no-hands": HTMLParagraphElement;
  "no-hint": HTMLSpanElement;
  "no-seasons": HTMLParagraphElement;
  "no-word": HTMLSpanElement;
  "nobody": HTMLParagraphElement;
  "none": HTMLParagraphElement;
  "not-counted": HTMLUListElement;
  "now": HTMLSpanElement & HTMLHeadingElement;
  "now-said": HTMLDivElement;
  "offers": HTMLDivElement;
  "open-questions": HTMLDivElement;
  "options": HTMLDivElement;
  "other-sources": HTMLDetailsElement;
  "others": HTMLDivElement;
  "outline": SVGElement;
  "over": HTMLButtonElement;
  "own": HTMLElement;
  "own-camera": HTMLDetailsElement;
  "own-hand": HTMLDivElement;
  "own-result": HTMLElement;
  "own-set": HTMLDetailsElement;
  "own-set-up": HTMLIFrameElement;
  "pace": HTMLSelectElement;
  "pad": HTMLElement;
  "part": HTMLFormElement;
  "parts": HTMLElement;
  "people": HTMLOListElement & HTMLParagraphElement;
  "person": HTMLElement;
  "picture": HTMLCanvasElement;
  "places": HTMLTableElement;
  "play": HTMLButtonElement;
  "played": HTMLSelectElement;
  "players": HTMLOListElement & HTMLDivElement;
  "players-title": HTMLHeadingElement;
  "plays-in": HTMLFormElement;
  "plays-title": HTMLHeadingElement;
  "position": HTMLButtonElement;
  "print": HTMLButtonElement;
  "problem": HTMLParagraphElement;
  "progress": HTMLParagraphElement;
  "put-right": HTMLButtonElement;
  "question": HTMLParagraphElement;
  "questions": HTMLDivElement;
  "questions-title": HTMLHeadingElement;
  "quiet": HTMLSpanElement;
  "rank": HTMLButtonElement;
  "ranking": HTMLOListElement;
  "rate": HTMLInputElement;
  "rating": HTMLDivElement;
  "read-evenings": HTMLParagraphElement;
  "read-tonight": HTMLParagraphElement;
  "read-twice": HTMLInputElement;
  "read-twice-says": HTMLParagraphElement;
  "reads-twice": HTMLSpanElement;
  "redo": HTMLButtonElement;
  "rehearsal": HTMLElement;
  "rehearse": HTMLButtonElement;
  "rehearsed": HTMLParagraphElement;
  "rehearsing": HTMLElement;
  "rehearsing-title": HTMLElement;
  "rename": HTMLFormElement;
  "renew": HTMLButtonElement;
  "replace": HTMLDialogElement;
  "replace-no": HTMLButtonElement;
  "replace-says": HTMLParagraphElement;
  "replace-title": HTMLHeadingElement;
  "replace-yes": HTMLButtonElement;
  "replay": HTMLElement;
  "reports": HTMLDivElement;
  "result": HTMLElement;
  "results": HTMLDivElement;
  "review": HTMLDivElement;
  "review-said": HTMLSpanElement;
  "rooms": HTMLElement;
  "row": HTMLFormElement;
  "rows": HTMLOListElement;
  "rule-set": HTMLInputElement;
  "rules": HTMLSpanElement;
  "rules-title": HTMLHeadingElement;
  "running": HTMLDivElement;
  "running-says": HTMLSpanElement;
  "said": HTMLOListElement;
  "sample": HTMLButtonElement;
  "saved": HTMLParagraphElement;
  "scan": HTMLParagraphElement;
  "score": HTMLOListElement;
  "seal": HTMLParagraphElement;
  "search": HTMLFormElement & HTMLInputElement;
  "search-word": HTMLParagraphElement;
  "seasons": HTMLOListElement;
  "seasons-title": HTMLHeadingElement;
  "seat": HTMLSelectElement;
  "seat0": HTMLSelectElement;
  "seats": HTMLElement;
  "secret": HTMLParagraphElement;
  "see-game": HTMLAnchorElement;
  "set": HTMLElement;
  "set-forget": HTMLButtonElement;
  "set-lessons": HTMLParagraphElement;
  "set-pictures": HTMLDivElement;
  "set-seen": HTMLParagraphElement;
  "set-take": HTMLButtonElement;
  "set-title": HTMLHeadingElement;
  "set-told": HTMLParagraphElement;
  "set-up": HTMLAnchorElement;
  "set-use": HTMLButtonElement;
  "sets": HTMLDivElement & HTMLParagraphElement;
  "settling": HTMLDivElement;
  "share": HTMLInputElement;
  "share-asked": HTMLElement;
  "share-no": HTMLButtonElement;
  "share-says": HTMLSpanElement;
  "share-yes": HTMLButtonElement;
  "shared": HTMLDivElement;
  "sheet": HTMLDetailsElement;
  "sheet-title": HTMLHeadingElement;
  "show-card": HTMLButtonElement;
  "shown": HTMLImageElement;
  "slider": HTMLInputElement;
  "slot": HTMLDivElement;
  "source": HTMLSpanElement;
  "sources": HTMLDivElement;
  "speak": HTMLButtonElement;
  "spectators": HTMLInputElement;
  "speed": HTMLSelectElement;
  "stage": HTMLDivElement;
  "standings": HTMLElement;
  "standings-of": HTMLDivElement;
  "standings-title": HTMLHeadingElement;
  "start": HTMLDivElement;
  "start-title": HTMLHeadingElement;
  "state": HTMLSelectElement & HTMLParagraphElement;
  "status": HTMLSpanElement & HTMLParagraphElement;
  "step": HTMLParagraphElement;
  "step-back": HTMLButtonElement;
  "step-on": HTMLButtonElement;
  "step-said": HTMLOListElement;
  "steps": HTMLElement;
  "still": HTMLButtonElement;
  "stop-sharing": HTMLButtonElement;
  "stream": HTMLDivElement;
  "stream-link": HTMLAnchorElement;
  "stream-table": HTMLInputElement;
  "sum": HTMLSpanElement;
  "summary": HTMLElement;
  "table": HTMLDivElement;
  "tabs": HTMLDivElement;
  "tally": HTMLUListElement & HTMLParagraphElement;
  "taught": HTMLParagraphElement;
  "terms": HTMLDetailsElement;
  "theme": HTMLButtonElement;
  "ticks": HTMLDataListElement;
  "title": HTMLHeadingElement;
  "to-archive": HTMLAnchorElement;
  "to-drill": HTMLAnchorElement & HTMLButtonElement;
  "to-game": HTMLAnchorElement;
  "to-games": HTMLButtonElement;
  "to-learn": HTMLAnchorElement;
  "to-lessons": HTMLAnchorElement & HTMLButtonElement;
  "to-log": HTMLButtonElement;
  "to-mistakes": HTMLButtonElement;
  "to-practice": HTMLAnchorElement;
  "to-screen": HTMLAnchorElement;
  "to-set": HTMLParagraphElement;
  "to-shadow": HTMLAnchorElement;
  "to-table": HTMLAnchorElement;
  "to-teacher": HTMLAnchorElement;
  "to-view": HTMLButtonElement;
  "told": HTMLParagraphElement & HTMLOListElement;
  "tonight": HTMLDivElement;
  "topics": HTMLOListElement & HTMLDivElement;
  "tried": HTMLElement;
  "trouble": HTMLParagraphElement;
  "twice": HTMLParagraphElement;
  "undo": HTMLButtonElement;
  "until": HTMLParagraphElement;
  "variants": HTMLDivElement;
  "verdict": HTMLParagraphElement;
  "view": HTMLVideoElement & HTMLButtonElement;
  "waiting": HTMLSpanElement;
  "waits": HTMLParagraphElement;
  "wanted": HTMLParagraphElement;
  "warm": HTMLParagraphElement;
  "watched": HTMLElement;
  "whose": HTMLHeadingElement;
  "why": HTMLParagraphElement;
  "without": HTMLDivElement;
  "wrong": HTMLParagraphElement;
  "yes-clips": HTMLButtonElement;
}

