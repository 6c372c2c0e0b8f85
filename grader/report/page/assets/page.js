"use strict";
// Everything that a manifest or a model said is put into the page as text, never as markup.
const $ = (id) => document.getElementById(id);
const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== "" && value !== undefined) element.setAttribute(key, value);
  element.append(...children.filter((one) => one !== null && one !== undefined));
  return element;
};
const number = (value) => (value === null || value === undefined ? "-" : Number(value).toFixed(3));
const compareText = new Intl.Collator(undefined, { numeric: true }).compare;
for (const element of document.querySelectorAll(".scripted")) element.hidden = false;

// ---- data: files are loaded as scripts, for a page without a server may not fetch
const load = (name) =>
  new Promise((resolve, reject) => {
    const script = make("script", { src: `data/${name}` });
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error(`data/${name} is not there; it belongs beside this page`)));
    document.head.append(script);
  });
let verdicts = [];
let about = { each: 1, runs: [] };
let shownRows = [];
const byAddress = new Map();
const shards = new Map();
const arrived = new Map();
const addressOf = (row) => `#v/${row.run}/${encodeURIComponent(row.id)}`;
window.gradedRuns = {
  list(said, rows) {
    about = said;
    verdicts = rows.map((values, place) => {
      const row = { place };
      said.columns.forEach((name, at) => (row[name] = values[at]));
      row.text = [row.id, row.puzzle, row.model, row.reason, row.codes, row.tags, row.outcome, row.mode].join(" ").toLowerCase();
      return row;
    });
    for (const row of verdicts) byAddress.set(`${row.run}/${row.id}`, row);
    shownRows = verdicts;
  },
  details(number, entries) {
    arrived.set(number, entries);
  },
};
const details = async (row) => {
  const shard = Math.floor(row.place / about.each);
  if (!shards.has(shard)) shards.set(shard, load(`details-${shard}.js`));
  await shards.get(shard);
  return arrived.get(shard)[row.place % about.each];
};
const listReady = load("verdicts.js");
const libraryReady = load("tabulator.min.js");

// ---- tables: one at a time behind the chooser, sorted by a click; rows become cards where there is no room
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    head.setAttribute("aria-sort", "none");
    head.tabIndex = 0;
    const sort = () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const key = (row) => row.cells[column].dataset.v ?? row.cells[column].textContent;
      const numeric = head.classList.contains("number");
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => (up ? 1 : -1) * (numeric ? key(a) - key(b) : compareText(key(a), key(b))));
      table.tBodies[0].append(...rows);
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", (event) => {
      if (event.key === "Enter") sort();
    });
  });
}
const tables = [...document.querySelectorAll("details.table")];
const fit = (table) => {
  const box = table.querySelector(".scroll");
  box.classList.remove("stacked");
  box.classList.toggle("stacked", box.scrollWidth > box.clientWidth + 1);
};
const choose = (key) => {
  for (const table of tables) {
    table.open = table.id === key;
    table.hidden = table.id !== key;
  }
  $("chooser").value = key;
  fit($(key));
};
if (tables.length) {
  const groups = new Map();
  for (const table of tables) {
    const task = table.dataset.task || "all tasks";
    if (!groups.has(task)) groups.set(task, make("optgroup", { label: task }));
    const option = make("option", { value: table.id }, table.dataset.short);
    groups.get(task).append(option);
  }
  $("chooser").append(...groups.values());
  $("chooser").addEventListener("change", () => choose($("chooser").value));
  choose(tables[0].id);
  addEventListener("resize", () => tables.filter((one) => !one.hidden).forEach(fit));
}
addEventListener("beforeprint", () => tables.forEach((one) => ((one.hidden = false), (one.open = true))));

// ---- what stands below one another without this script is shown for one task at a time
for (const id of ["failures", "plots"]) {
  const parts = [...$(id).querySelectorAll(".of-task")];
  if (parts.length < 2) continue;
  const select = make("select", {}, ...parts.map((part) => make("option", {}, part.dataset.task)));
  const show = () => parts.forEach((part) => (part.hidden = part.dataset.task !== select.value));
  select.addEventListener("change", show);
  parts[0].before(make("div", { class: "controls" }, make("label", {}, "Task ", select)));
  show();
  addEventListener("beforeprint", () => parts.forEach((part) => (part.hidden = false)));
}

// ---- the list of all verdicts
const filters = ["outcome", "task", "model", "mode", "reason"];
const narrow = () => $("list-table").clientWidth < 760;
const outcome = (row) => make("b", { class: `outcome ${row.outcome}` }, row.outcome);
const asText = (field) => (cell) => make("span", {}, String(cell.getData()[field] ?? ""));
const asLink = (cell) => make("a", { href: addressOf(cell.getData()) }, cell.getData().id);
const asNumber = (field) => (cell) => make("span", {}, number(cell.getData()[field]));
const inShort = (cell) => {
  const row = cell.getData();
  return make(
    "div",
    { class: "short" },
    make("a", { href: addressOf(row) }, row.id),
    make("div", {}, outcome(row), ` score ${number(row.score)}, reward ${number(row.reward)}`),
    make("div", {}, [row.model, row.task].filter(Boolean).join(", ")),
    row.reason ? make("div", {}, make("code", {}, row.reason)) : null,
    row.grounds ? make("div", { class: "why" }, make("span", {}, row.grounds)) : null,
  );
};
const heading = (title) => () => make("span", {}, title);
const column = (field, title, share, formatter, more = {}) => ({
  field, title, widthGrow: share, formatter, titleFormatter: heading(title), variableHeight: true,
  sorter: typeof more.number === "undefined" ? (a, b) => compareText(String(a ?? ""), String(b ?? "")) : (a, b) => (a ?? -1) - (b ?? -1),
  ...(more.number ? { hozAlign: "right", headerHozAlign: "right" } : {}), minWidth: more.least ?? 60,
});
const wideColumns = () => {
  const several = (field) => new Set(verdicts.map((row) => row[field])).size > 1;
  return [
    column("id", "verdict", 5, asLink, { least: 150 }),
    ...(several("task") ? [column("task", "task", 2, asText("task"), { least: 80 })] : []),
    column("model", "model", 2.5, asText("model"), { least: 90 }),
    column("puzzle", "puzzle", 3, asText("puzzle"), { least: 90 }),
    column("attempt", "try", 0.7, asText("attempt"), { number: true, least: 62 }),
    column("outcome", "outcome", 1.6, (cell) => outcome(cell.getData()), { least: 118 }),
    column("score", "score", 1, asNumber("score"), { number: true, least: 80 }),
    column("reward", "reward", 1, asNumber("reward"), { number: true, least: 90 }),
    column("reason", "reason", 4, (cell) => make("code", {}, cell.getData().reason), { least: 130 }),
    column("doubt", "doubt", 2.5, (cell) => {
      const row = cell.getData();
      return make("span", { title: row.grounds }, row.doubt ? `${row.doubt.toFixed(2)} ${row.grounds}` : "");
    }, { number: false, least: 90 }),
  ];
};
const options = {
  index: "place", layout: "fitColumns", height: "70vh", placeholder: "no verdict is like that", headerSortTristate: false,
  columnDefaults: { resizable: false, tooltip: false, headerTooltip: false },
};
let list = null;
let isNarrow = false;
let wanted = { field: "place", dir: "asc" };
const sorts = [
  ["place", "asc", "the manifest's order"], ["doubt", "desc", "doubt, most first"], ["score", "asc", "score, low first"],
  ["score", "desc", "score, high first"], ["reward", "desc", "reward, high first"], ["reason", "asc", "reason"],
  ["model", "asc", "model"], ["puzzle", "asc", "puzzle"],
];
const sorted = (rows) => {
  const { field, dir } = wanted;
  if (field === "place") return rows;
  const sign = dir === "asc" ? 1 : -1;
  const textual = rows.some((row) => typeof row[field] === "string");
  const by = textual
    ? (a, b) => compareText(String(a[field] ?? ""), String(b[field] ?? ""))
    : (a, b) => (a[field] ?? -1) - (b[field] ?? -1);
  return [...rows].sort((a, b) => sign * by(a, b) || a.place - b.place);
};
const query = () => {
  const said = new URLSearchParams();
  if ($("search").value) said.set("q", $("search").value);
  for (const name of filters) if ($(`filter-${name}`).value) said.set(name, $(`filter-${name}`).value);
  if ($("filter-doubt").checked) said.set("doubt", "1");
  return said;
};
const matching = () => {
  const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const exact = filters.map((name) => [name, $(`filter-${name}`).value]).filter(([, value]) => value);
  const doubt = $("filter-doubt").checked;
  return verdicts.filter(
    (row) => exact.every(([name, value]) => row[name] === value) && (!doubt || row.doubt > 0) && words.every((word) => row.text.includes(word)),
  );
};
let placed = false;
const refresh = () => {
  shownRows = sorted(matching());
  const count = shownRows.length === verdicts.length ? `${verdicts.length} verdicts` : `${shownRows.length} of ${verdicts.length} verdicts`;
  $("list-count").textContent = count;
  if (list && placed) list.replaceData(shownRows);
};
const buildList = () => {
  if (list) list.destroy();
  placed = false;
  isNarrow = narrow();
  list = new window.Tabulator($("list-table"), {
    ...options, data: shownRows, headerVisible: !isNarrow,
    columns: isNarrow ? [column("id", "verdict", 1, inShort)] : wideColumns(),
    ...(isNarrow ? {} : { initialSort: [] }),
  });
  const given = shownRows;
  list.on("tableBuilt", () => {
    placed = true;
    if (shownRows !== given) list.replaceData(shownRows);
  });
  // What is next and before in a verdict's page is what is next and before here.
  list.on("dataSorted", (_, rows) => {
    if (placed && rows.length === shownRows.length) shownRows = rows.map((row) => row.getData());
  });
  list.on("rowClick", (event, row) => {
    if (!(event.target instanceof HTMLAnchorElement)) location.hash = addressOf(row.getData());
  });
};
const fill = (name) => {
  const values = [...new Set(verdicts.map((row) => row[name]).filter(Boolean))].sort(compareText);
  const select = $(`filter-${name}`);
  select.append(...values.map((value) => make("option", { value }, value)));
  select.closest("label").hidden = values.length < 2;
};
const apply = (said) => {
  $("search").value = said.get("q") ?? "";
  for (const name of filters) $(`filter-${name}`).value = said.get(name) ?? "";
  $("filter-doubt").checked = said.get("doubt") === "1";
  if (said.get("doubt") === "1") $("sort").value = "1";
  [wanted.field, wanted.dir] = sorts[$("sort").value];
  refresh();
};
const setUpList = () => {
  filters.forEach(fill);
  $("sort").append(...sorts.map(([, , title], at) => make("option", { value: at }, title)));
  let waiting = 0;
  $("search").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(refresh, 120);
  });
  for (const name of filters) $(`filter-${name}`).addEventListener("change", refresh);
  $("filter-doubt").addEventListener("change", refresh);
  $("sort").addEventListener("change", () => {
    [wanted.field, wanted.dir] = sorts[$("sort").value];
    if (list) list.clearSort();
    refresh();
  });
  $("clear").addEventListener("click", () => apply(new URLSearchParams()));
};

// ---- models side by side
let beside = null;
let besideNarrow = false;
const square = (row) =>
  make("a", { class: `square ${row.outcome}`, href: addressOf(row), title: `${row.id}: ${row.outcome} ${row.reason}`, "aria-label": `${row.id}: ${row.outcome}` });
const buildBeside = () => {
  if (!$("beside-table")) return;
  const task = $("beside-task").value;
  const puzzles = new Map();
  const models = new Set();
  for (const row of verdicts) {
    if (row.task !== task) continue;
    models.add(row.model);
    if (!puzzles.has(row.puzzle)) puzzles.set(row.puzzle, { puzzle: row.puzzle, models: new Map() });
    const cells = puzzles.get(row.puzzle).models;
    if (!cells.has(row.model)) cells.set(row.model, []);
    cells.get(row.model).push(row);
  }
  const rate = (rows) => (rows ? rows.filter((row) => row.outcome === "PASS").length / rows.length : null);
  let rows = [...puzzles.values()];
  const all = rows.length;
  if ($("beside-differ").checked) rows = rows.filter((one) => new Set([...one.models.values()].map(rate)).size > 1);
  $("beside-count").textContent = `${rows.length} of ${all} puzzles`;
  const names = [...models].sort(compareText);
  const squares = (found) => make("span", { class: "squares" }, ...(found ?? []).map(square));
  besideNarrow = $("beside-table").clientWidth < 160 + 96 * names.length;
  const columns = besideNarrow
    ? [column("puzzle", "puzzle", 1, (cell) => {
        const one = cell.getData();
        const parts = names.filter((name) => one.models.has(name)).map((name) => make("div", {}, squares(one.models.get(name)), ` ${name}`));
        return make("div", { class: "short" }, make("b", {}, one.puzzle), ...parts);
      })]
    : [column("puzzle", "puzzle", 2, asText("puzzle"), { least: 140 }),
       ...names.map((name, at) => ({
         field: `m${at}`, title: name, widthGrow: 1, minWidth: 90, variableHeight: true, titleFormatter: heading(name),
         formatter: (cell) => squares(cell.getData().models.get(name)),
         sorter: (a, b, one, two) => (rate(one.getData().models.get(name)) ?? -1) - (rate(two.getData().models.get(name)) ?? -1),
       }))];
  if (beside) beside.destroy();
  // At once, so that what is below does not move later.
  $("beside-table").style.minHeight = rows.length > 12 ? "60vh" : "";
  beside = new window.Tabulator($("beside-table"), {
    ...options, index: "puzzle", height: rows.length > 12 ? "60vh" : undefined, data: rows, columns, placeholder: "no puzzle is like that",
    headerVisible: !besideNarrow,
  });
};

// ---- the page of a verdict
const pairs = (title, entries) =>
  entries.length
    ? make("section", { class: "pairs" }, make("h3", {}, title), make("dl", {}, ...entries.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])))
    : null;
const medium = (one, title) => {
  let body;
  if (one.kind === "picture") {
    body = make("a", { href: one.src, target: "_blank", rel: "noopener" }, make("img", { src: one.src, alt: title, loading: "lazy", decoding: "async" }));
  } else if (one.kind === "clip") {
    body = make("video", { src: one.src, controls: "", loop: "", preload: "metadata", playsinline: "" });
    body.muted = true;
    body.controls = true;
    body.loop = true;
    const failed = make("p", { class: "note" }, "this browser can't play it; ", make("a", { href: one.src }, "the file"));
    body.addEventListener("error", () => body.replaceWith(failed));
  } else if (one.kind === "words") {
    // What was read, and what could not be, as [text, class, title].
    body = make("pre", {}, ...(one.parts ?? [[one.text, "", ""]]).map(([text, kind, title]) => (kind ? make("mark", { class: kind, title }, text) : text)));
  }
  else body = make("p", { class: "note" }, one.text ?? "none");
  return make("figure", { class: one.kind }, make("figcaption", {}, one.role), body);
};
let scrolled = 0;
let current = null;
const showVerdict = async (row) => {
  if ($("verdict").hidden) scrolled = scrollY;
  current = row;
  $("front").hidden = true;
  $("verdict").hidden = false;
  const at = shownRows.indexOf(row);
  const neighbour = (step, title) => {
    const other = at < 0 ? null : shownRows[at + step];
    return other ? make("a", { class: "button", href: addressOf(other) }, title) : make("span", { class: "button off" }, title);
  };
  const bar = make(
    "nav", { class: "steps", "aria-label": "Verdicts" }, make("a", { class: "button", href: `#list?${query()}` }, "back to the list"),
    neighbour(-1, "← before"), neighbour(1, "next →"), make("span", { class: "count" }, at < 0 ? "" : `${at + 1} of ${shownRows.length}`),
  );
  const head = make(
    "div", { class: "head" }, make("h2", {}, row.id),
    make("p", {}, outcome(row), ` score ${number(row.score)}, reward ${number(row.reward)}`),
    row.grounds ? make("p", { class: "why" }, ...row.grounds.split("; ").map((one) => make("span", {}, one))) : null,
  );
  $("verdict").replaceChildren(bar, head, make("p", { class: "note" }, "loading"));
  scrollTo(0, 0);
  let all;
  try {
    all = await details(row);
  } catch (error) {
    if (current === row) $("verdict").replaceChildren(bar, head, make("p", { class: "warning" }, error.message));
    return;
  }
  if (current !== row) return;
  const reasons = all.reasons.map(([code, message, places]) =>
    make("li", {}, make("code", {}, code), ` ${message}`, places ? make("small", {}, places) : null));
  const notes = all.notes.map(([code, message]) => make("li", {}, make("code", {}, code), ` ${message}`));
  const metrics = all.metrics.map(([name, value, why]) => [name, value === null ? `- (${why})` : String(Number(value.toPrecision(6)))]);
  const who = [
    ["task", row.task], ["puzzle", row.puzzle], ["model", row.model], ["attempt", row.attempt === null ? "" : String(row.attempt)],
    ["run", about.runs.length > 1 ? about.runs[row.run] : ""],
  ].filter(([, value]) => value);
  $("verdict").replaceChildren(
    ...[
      bar, head,
      all.status[0] || all.status[1] ? make("p", { class: "warning" }, make("code", {}, all.status[0]), ` ${all.status[1]}`) : null,
      all.asked ? make("p", { class: "asked" }, `Asked: ${all.asked}`) : null,
      reasons.length ? make("section", {}, make("h3", {}, "Reasons"), make("ol", { class: "reasons" }, ...reasons)) : null,
      notes.length ? make("section", {}, make("h3", {}, "Notes"), make("ul", { class: "reasons" }, ...notes)) : null,
      make("div", { class: "media" }, ...all.media.map((one) => medium(one, `${one.role} of ${row.id}`))),
      all.puzzle.length ? make("details", {}, make("summary", {}, "Puzzle and truth"), make("div", { class: "media" }, ...all.puzzle.map((one) => medium(one, one.role)))) : null,
      make("div", { class: "columns" }, pairs("Whose", who), pairs("Metrics", metrics), pairs("Tags", all.tags)),
      pairs("How it was made", all.facts),
      make("details", {}, make("summary", {}, "What was seen"), make("pre", {}, all.seen)),
    ].filter(Boolean),
  );
};
const showFront = () => {
  current = null;
  const was = !$("verdict").hidden;
  $("verdict").hidden = true;
  $("front").hidden = false;
  $("verdict").replaceChildren();
  return was;
};
const route = async () => {
  const hash = location.hash.slice(1);
  if (hash.startsWith("v/")) {
    try {
      await listReady;
    } catch {
      return;
    }
    const [, run, ...rest] = hash.split("/");
    let id = rest.join("/");
    try {
      id = decodeURIComponent(id);
    } catch {
      // an id with a bare per cent sign, typed by hand
    }
    const row = byAddress.get(`${run}/${id}`);
    if (row) await showVerdict(row);
    else {
      $("front").hidden = true;
      $("verdict").hidden = false;
      $("verdict").replaceChildren(make("p", { class: "warning" }, `this report has no verdict ${id}`), make("a", { href: "#list" }, "all verdicts"));
    }
    return;
  }
  const [place, said] = hash.split("?");
  const was = showFront();
  if (place) {
    await ready;
    // What is above the place gets its height first.
    for (const build of [...waiting]) build();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }
  if (place === "list") {
    if (said !== undefined) apply(new URLSearchParams(said));
    if (was && scrolled) scrollTo(0, scrolled);
    else $("list").scrollIntoView();
    return;
  }
  const target = place ? document.getElementById(place) : null;
  if (target && tables.includes(target)) choose(place);
  if (target) target.scrollIntoView();
};

// ---- keys
const typing = () => /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "") || document.activeElement?.tagName === "VIDEO";
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
  const step = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 }[event.key];
  if (event.key === "Escape") {
    if (document.activeElement === $("search")) {
      event.preventDefault(); // or the browser empties the field
      $("search").blur();
    } else if (!$("verdict").hidden) location.hash = `#list?${query()}`;
  } else if (typing()) return;
  else if (event.key === "/") {
    event.preventDefault();
    if (!$("verdict").hidden) location.hash = `#list?${query()}`;
    setTimeout(() => {
      $("list").scrollIntoView();
      $("search").focus();
    }, 0);
  } else if (event.key === "?") $("help").showModal();
  else if (step && current) {
    const other = shownRows[shownRows.indexOf(current) + step];
    if (other && shownRows.includes(current)) location.hash = addressOf(other);
  } else if (step && (event.key === "j" || event.key === "k") && shownRows.length) location.hash = addressOf(shownRows[step > 0 ? 0 : shownRows.length - 1]);
});
$("help-button").addEventListener("click", () => $("help").showModal());

const waiting = new Set();
const ready = Promise.all([listReady, libraryReady]).then(
  () => {
    setUpList();
    // The list is far down: it is built once it is near, so that what is above it is there at once.
    const watch = (element, build) => {
      const observer = new IntersectionObserver((seen) => {
        if (seen.some((one) => one.isIntersecting)) once();
      }, { rootMargin: "800px" });
      const once = () => {
        observer.disconnect();
        waiting.delete(once);
        build();
      };
      waiting.add(once);
      observer.observe(element);
    };
    watch($("list-table"), buildList);
    if ($("beside-table")) {
      watch($("beside-table"), buildBeside);
      $("beside-task").addEventListener("change", buildBeside);
      $("beside-differ").addEventListener("change", buildBeside);
    }
    addEventListener("resize", () => {
      if ($("front").hidden) return;
      if (list && placed && narrow() !== isNarrow) buildList();
      if (beside) buildBeside();
    });
  },
  (error) => {
    for (const id of ["list-table", "beside-table"]) $(id)?.append(make("p", { class: "warning" }, error.message));
  },
);
addEventListener("hashchange", route);
if (location.hash) route();
