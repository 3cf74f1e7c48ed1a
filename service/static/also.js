// What else has changed because of what a person said: each line as it was, and as it is now.
"use strict";

let also = [];

const eventsDrawn = (events) => events.flatMap((told) => inLanguage(told).map(drawnPart));

function showAlso(changed = also) {
  also = changed;
  $("also").hidden = also.length === 0;
  const lines = also.map(({ was, now }) => made("li", {}, made("del", {}, ...eventsDrawn(was)), " → ",
    ...(now.length > 0 ? eventsDrawn(now) : [word("page.mend.phantom")])));
  const close = button(word("page.mend.close"), () => showAlso([]));
  $("also").replaceChildren(made("h3", {}, word("page.mend.also")), made("ul", {}, ...lines), close);
}
