// What the page of a table was told last, and what may be put right there.
/** @import { Draft } from "/static/page" */
/** @import { AnnouncementView, CorrectableView, EventView, PublicTable } from "/static/wire" */

/** @type {{ happened: EventView[], announced: AnnouncementView[], table: PublicTable | null, state: string }} */
export const known = { happened: [], announced: [], table: null, state: "" };

export const tableNow = () => /** @type {PublicTable} */ (known.table); // where one is drawn

/** @type {{ lines: number, acts: CorrectableView, allowed: boolean, hasNext: boolean, draft: Draft | null }} */
export const mending = {
  lines: 0, acts: { undo: false, redo: false, rivers: [], sets: [], flowers: [], tiles: [] }, allowed: false, hasNext: false,
  draft: null, // the change that Save writes: its path, its body, and the event that the form shows
};

const DOUBTFUL = 0.8;
/** @param {EventView} given */
export const isDoubtful = ({ confidence }) => confidence !== null && confidence < DOUBTFUL;
