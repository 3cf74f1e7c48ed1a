// The choice of a camera: plugged in, in the network, a phone, or a recording.
"use strict";

const setup = { offered: null, chosen: null, check: null };

function complain(text) {
  $("complaint").textContent = text;
}

async function ask(path, body, method = "POST") {
  const options = body === undefined ? {} : {
    method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  try {
    const answer = await fetch(path, options);
    const told = await answer.json();
    if (answer.ok) return told;
    complain(told.detail);
  } catch {
    complain(word("page.setup.unreachable"));
  }
  return null;
}

function opening(key) {
  setup.chosen = key;
  complain("");
  forgetPicture();
  $("phone").hidden = true;
  $("hurry-line").hidden = !/^(sample|file|recording-)/.test(key);
  $("hurry").checked = false;
  for (const each of document.querySelectorAll("#sources [data-key]")) {
    each.setAttribute("aria-pressed", String(each.dataset.key === key));
  }
  $("empty").textContent = word("page.setup.opening");
}

async function choose(key, asked) {
  opening(key);
  const told = await ask("/api/setup/source", asked);
  if (told === null) $("empty").textContent = "";
  if (told === null || told.qr === undefined) return;
  $("phone").hidden = false;
  $("phone-code").innerHTML = told.qr;
  $("phone-code").firstElementChild.setAttribute("role", "img");
  $("phone-code").firstElementChild.setAttribute("aria-label", told.address);
  $("phone-address").href = told.address;
  $("phone-address").textContent = told.address.split("#")[0];
}

function sourceButton(text, key, asked) {
  const tap = button(text, () => choose(key, asked));
  tap.dataset.key = key;
  tap.setAttribute("aria-pressed", String(setup.chosen === key));
  return tap;
}

function addressForm() {
  const input = made("input", { type: "text", "aria-label": word("page.setup.rtsp"), placeholder: word("page.setup.rtsp") });
  const form = made("form", {}, input, made("button", { type: "submit" }, word("page.setup.connect")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    choose("stream", { kind: "stream", address: input.value.trim() });
  });
  return form;
}

// A request of the old kind, because it tells how much has been sent.
function send(file) {
  opening("file");
  const request = new XMLHttpRequest();
  request.open("PUT", `/api/setup/recordings/${encodeURIComponent(file.name)}`);
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.upload.onprogress = ({ loaded, total }) => {
    $("empty").textContent = word("page.setup.sending", { percent: Math.floor((100 * loaded) / total) });
  };
  request.onload = () => {
    if (request.status !== 200) complain(JSON.parse(request.responseText).detail);
  };
  request.onerror = () => complain(word("page.setup.unreachable"));
  request.send(file);
}

function fileInput() {
  const input = made("input", { type: "file", accept: "video/*", "aria-label": word("page.setup.send_file") });
  input.addEventListener("change", () => input.files.length && send(input.files[0]));
  return made("label", { class: "file" }, word("page.setup.send_file"), input);
}

function showSources() {
  const { cameras, recordings, records, sample } = setup.offered;
  const shown = [made("h3", {}, word("page.setup.usb"))];
  for (const { number, name } of cameras) {
    shown.push(sourceButton(name, `camera-${number}`, { kind: "camera", number }));
  }
  if (cameras.length === 0) shown.push(made("p", {}, word("page.setup.no_camera")));
  shown.push(
    button(word("page.setup.look_again"), loadOffered),
    sourceButton(word("page.setup.phone_camera"), "phone", { kind: "phone" }),
    made("h3", {}, word("page.setup.network")), addressForm(), made("h3", {}, word("page.setup.recordings")),
  );
  if (sample) shown.push(sourceButton(word("page.setup.sample"), "sample", { kind: "sample" }));
  for (const name of recordings) {
    shown.push(sourceButton(name, `recording-${name}`, { kind: "recording", name }));
  }
  shown.push(fileInput());
  if (records.length > 0) shown.push(made("h3", {}, word("page.setup.records")));
  for (const name of records) shown.push(button(name, () => begin({ open: name })));
  $("sources").replaceChildren(...shown);
}

async function loadOffered() {
  const offered = await ask("/api/setup");
  if (offered === null) return;
  setup.offered = offered;
  $("sample").disabled = !offered.sample;
  showSources();
}
