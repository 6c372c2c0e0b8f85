// The page on which people label. It keeps nothing: each key is sent, and what is shown is what the server says comes
// after it, so what was seen on the screen as done is on disk.
"use strict";

const RETRY_MS = 250;
const MOST_ZOOM = 40;
const NO_PICTURE = "this picture can't be shown";
const byId = (id) => document.getElementById(id);
const make = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

let protocol = null;
let state = null; // what the server said last
let busy = true; // between a key and what the server says to it; keys in between are dropped
let keeping = null; // a comment that is on its way; what comes after it waits for it
let shownAt = 0; // when the question was shown
let zoom = { scale: 1, x: 0, y: 0 }; // shares of a pane, so that both sides move alike
const sides = { puzzle: { media: [], at: 0 }, candidate: { media: [], at: 0 } };
const ready = new Map(); // pictures that are loaded ahead, by address
let times = []; // of the clip's frames

const now = () => state && state.asked[0];
const open = (item) => protocol.questions.find((one) => !(one.name in item.said));

function say(text, broken = false) {
  byId("state").textContent = text;
  byId("state").classList.toggle("broken", broken);
}

// --- talking with the server ---

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends until there is an answer. The server knows what it has already, so sending again does no harm. */
async function send(path, body) {
  for (let tries = 0; ; tries += 1) {
    try {
      const options = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
      const response = await fetch(path, { cache: "no-store", ...options });
      if (response.ok) return await response.json();
      if (response.status === 409) return await send("state"); // as where a second window is open
      if (response.status < 500) {
        say(response.status === 404 ? "this address is no longer known" : `refused (${response.status})`, true);
        return null;
      }
    } catch {
      // The server is away, or was killed in the middle of its answer.
    }
    if (tries) say("not saved yet; trying again", true);
    await pause(RETRY_MS);
  }
}

async function act(path, body) {
  if (keeping && path !== "comment") await keeping;
  if (busy) return;
  busy = true;
  document.body.classList.add("saving");
  const said = await send(path, body);
  document.body.classList.remove("saving");
  busy = false;
  if (said) {
    say(path === "state" ? "" : "saved");
    take(said);
  }
}

// --- showing ---

function take(said) {
  const before = now();
  const asked = document.body.dataset.question;
  state = said;
  byId("bar").max = Math.max(1, state.total);
  byId("bar").value = state.done;
  byId("count").textContent = `${state.done} of ${state.total}`;
  byId("undo").disabled = !state.last;
  const item = now();
  byId("work").hidden = !item;
  byId("finished").hidden = Boolean(item);
  document.body.dataset.showing = item ? item.showing : "";
  document.body.dataset.question = item ? open(item).name : "";
  if (item) {
    if (!before || before.showing !== item.showing) showItem(item);
    showQuestion(item);
  }
  document.body.dataset.turn = Number(document.body.dataset.turn || 0) + 1;
  // A comment that was kept shows nothing new.
  if (!before || !item || before.showing !== item.showing || asked !== document.body.dataset.question) shownAt = performance.now();
  // Only once this one is painted: pictures that are decoded ahead would take the time that it needs.
  requestAnimationFrame(() => setTimeout(lookAhead));
}

function lookAhead() {
  const wanted = new Set();
  for (const item of state.asked)
    for (const side of Object.keys(sides))
      for (const one of item[side])
        if (one.kind === "picture" && one.src) wanted.add(one.src);
  for (const src of [...ready.keys()]) if (!wanted.has(src)) ready.delete(src);
  for (const src of wanted) if (!ready.has(src)) ready.set(src, picture(src));
}

function picture(src) {
  const made = make("img", { src, alt: "", draggable: false });
  made.addEventListener("error", () => {
    made.dataset.failed = "yes";
    made.replaceWith(gone(NO_PICTURE));
  });
  made.decode().catch(() => {});
  return made;
}

const gone = (text) => make("p", { className: "gone", textContent: text });

function showItem(item) {
  zoom = { scale: 1, x: 0, y: 0 };
  times = [];
  for (const [name, side] of Object.entries(sides)) {
    side.media = item[name];
    // A series ends with the words that go with it; its last picture is what counts.
    const pictures = side.media.filter((one) => one.kind === "picture").length;
    side.at = name === "candidate" && pictures > 1 ? pictures - 1 : 0;
    showSide(name);
  }
  byId("prompt").textContent = item.prompt;
  byId("prompt").hidden = !item.prompt;
  byId("hint").textContent = item.hint;
  byId("comment").value = item.comment;
  byId("comment").hidden = !item.comment;
}

function showSide(name) {
  const side = sides[name];
  const one = side.media[side.at] || { kind: "none", text: "there is nothing" };
  const view = byId(name);
  view.className = `view ${one.src ? "picture" : one.kind}`;
  let content;
  if (one.kind === "words") content = make("pre", { textContent: one.text });
  else if (one.kind === "clip" && one.src) content = clip(one.src);
  else if (one.kind === "picture" && one.src) content = ready.get(one.src) || picture(one.src);
  else content = gone(one.text || "there is nothing");
  view.replaceChildren(content.dataset.failed ? gone(NO_PICTURE) : content);
  const several = side.media.length > 1;
  byId(`${name}-step`).textContent = several ? `${side.at + 1} of ${side.media.length}` : "";
  const isClip = side.media.some((other) => other.kind === "clip");
  if (name === "candidate") {
    byId("steppers").hidden = !several && !isClip;
    byId("play").hidden = !isClip;
  }
  place();
}

function clip(src) {
  const made = make("video", { src, muted: true, loop: true, playsInline: true, preload: "auto" });
  made.addEventListener("error", () => made.replaceWith(gone("this clip can't be shown by this browser")));
  made.addEventListener("timeupdate", tellFrame);
  made.addEventListener("seeked", tellFrame);
  fetch(src.replace(/^media/, "times")).then(async (response) => {
    if (response.ok && made.isConnected) {
      times = await response.json();
      tellFrame();
    }
  }, () => {});
  made.play().catch(() => {});
  return made;
}

const video = () => byId("candidate").querySelector("video");
const frameAt = (at) => Math.max(0, times.findLastIndex((one) => one <= at + 0.0005));

function tellFrame() {
  const shown = video();
  if (shown && times.length)
    byId("candidate-step").textContent = `frame ${frameAt(shown.currentTime) + 1} of ${times.length}, ${shown.currentTime.toFixed(2)} s`;
}

function showQuestion(item) {
  const question = open(item);
  const at = protocol.questions.indexOf(question);
  const many = protocol.questions.length > 1 ? `${at + 1} of ${protocol.questions.length}. ` : "";
  byId("question").textContent = many + question.text;
  byId("labels").replaceChildren(
    ...question.labels.map((one) => {
      const button = make("button", { type: "button" }, make("kbd", { textContent: one.key }), ` ${one.text}`);
      button.addEventListener("click", () => answer(one));
      return button;
    }),
  );
  const others = item.others[question.name] || [];
  const text = (name) => (question.labels.find((one) => one.label === name) || { text: name }).text;
  byId("others").hidden = !others.length;
  byId("others").textContent = `People said: ${others.map(text).join(", ")}`;
}

// --- what can be done ---

function answer(label) {
  const item = now();
  if (!item) return;
  const took_s = Math.round(performance.now() - shownAt) / 1000;
  act("answer", { showing: item.showing, question: open(item).name, label: label.label, took_s });
}

function step(name, by) {
  const shown = name === "candidate" && video();
  if (shown) {
    shown.pause();
    if (!times.length) return;
    const to = Math.min(times.length - 1, Math.max(0, frameAt(shown.currentTime) + by));
    // The middle of a frame's time, for its edge may be rounded into the one before.
    const end = to + 1 < times.length ? times[to + 1] : Math.max(shown.duration || 0, times[to]);
    shown.currentTime = (times[to] + end) / 2;
    return;
  }
  const side = sides[name];
  const to = Math.min(side.media.length - 1, Math.max(0, side.at + by));
  if (to !== side.at) {
    side.at = to;
    showSide(name);
  }
}

function play() {
  const shown = video();
  if (!shown) return;
  if (shown.paused) shown.play().catch(() => {});
  else shown.pause();
}

function place() {
  for (const shown of document.querySelectorAll(".view img, .view video")) {
    const { clientWidth: width, clientHeight: height } = shown.parentElement;
    shown.style.transform = `translate(${zoom.x * width}px, ${zoom.y * height}px) scale(${zoom.scale})`;
    shown.style.imageRendering = zoom.scale >= 4 ? "pixelated" : "auto";
  }
}

/** Larger or smaller, with a place of the pane (shares of it) staying where it is. */
function zoomBy(factor, x = 0.5, y = 0.5) {
  const scale = Math.min(MOST_ZOOM, Math.max(1, zoom.scale * factor));
  const ratio = scale / zoom.scale;
  moveTo(scale, x - (x - zoom.x) * ratio, y - (y - zoom.y) * ratio);
}

function moveTo(scale, x, y) {
  const within = (value) => Math.min(0, Math.max(1 - scale, value));
  zoom = { scale, x: within(x), y: within(y) };
  place();
}

function editComment() {
  byId("comment").hidden = false;
  byId("comment").focus();
}

function keepComment() {
  const item = now();
  byId("comment").blur();
  if (item && !busy && byId("comment").value !== item.comment)
    keeping = act("comment", { showing: item.showing, text: byId("comment").value }).finally(() => { keeping = null; });
}

const undo = () => state && state.last && act("undo", { last: state.last });
const skip = () => now() && act("skip", { showing: now().showing, place: now().place });
const help = () => byId("help").showModal();
const KEYS = {
  u: undo, s: skip, c: editComment, "?": help, " ": play,
  "+": () => zoomBy(1.5), "=": () => zoomBy(1.5), "-": () => zoomBy(1 / 1.5), 0: () => moveTo(1, 0, 0),
  ",": () => step("candidate", -1), ".": () => step("candidate", 1),
  "[": () => step("puzzle", -1), "]": () => step("puzzle", 1),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  if (event.target === byId("comment")) {
    if (event.key === "Escape") {
      byId("comment").value = now() ? now().comment : "";
      byId("comment").blur();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      keepComment();
    }
    return;
  }
  // A key that is held down would label what nobody has seen.
  if (event.repeat && !"+-=,.[]".includes(event.key)) return;
  const item = now();
  const key = event.key.toLowerCase();
  const label = item && open(item).labels.find((one) => one.key.toLowerCase() === key);
  const done = label ? () => answer(label) : KEYS[key];
  if (done) {
    event.preventDefault();
    done();
  }
});

byId("comment").addEventListener("change", keepComment);
for (const [id, done] of Object.entries({
  undo, skip, "comment-button": editComment, "help-button": help, play,
  back: KEYS[","], forth: KEYS["."], in: KEYS["+"], out: KEYS["-"], fit: KEYS[0],
}))
  byId(id).addEventListener("click", (event) => {
    done();
    if (id !== "comment-button") event.currentTarget.blur(); // or the space bar would press it again
  });

for (const name of Object.keys(sides)) {
  const view = byId(name);
  let held = null;
  view.addEventListener("wheel", (event) => {
    if (!view.classList.contains("picture")) return;
    event.preventDefault();
    const box = view.getBoundingClientRect();
    zoomBy(2 ** (-event.deltaY / 300), (event.clientX - box.x) / box.width, (event.clientY - box.y) / box.height);
  }, { passive: false });
  view.addEventListener("pointerdown", (event) => {
    if (!view.classList.contains("picture")) return;
    view.setPointerCapture(event.pointerId);
    held = { x: event.clientX, y: event.clientY, zoom };
  });
  view.addEventListener("pointermove", (event) => {
    if (!held) return;
    const box = view.getBoundingClientRect();
    moveTo(zoom.scale, held.zoom.x + (event.clientX - held.x) / box.width, held.zoom.y + (event.clientY - held.y) / box.height);
  });
  for (const end of ["pointerup", "pointercancel"]) view.addEventListener(end, () => { held = null; });
}
addEventListener("resize", place);

(async () => {
  const study = await send("study");
  if (!study) return;
  protocol = study.protocol;
  byId("who").textContent = study.rater;
  document.title = `Label: ${study.rater}`;
  for (const question of protocol.questions)
    for (const one of question.labels)
      byId("keys").append(make("dt", {}, make("kbd", { textContent: one.key })), make("dd", { textContent: `${protocol.questions.length > 1 ? `${question.name}: ` : ""}${one.text}` }));
  busy = false;
  await act("state");
})();
