"use strict";
// Shows the report that stands in the page as data. Whatever comes from the checked program becomes text, never markup.
const data = JSON.parse(document.getElementById("data").textContent);

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function add(parent, ...children) {
  for (const child of children) parent.appendChild(child);
  return parent;
}

function row(cells, kind) {
  const made = element("tr");
  for (const cell of cells) add(made, cell instanceof Node ? cell : element(kind || "td", "", cell));
  return made;
}

function place(where) {
  return where ? data.files[where.file].path + ":" + where.line : "";
}

function summary() {
  const table = add(element("table"), row(["property", "answer", ""], "th"));
  for (const answer of data.answers) {
    add(table, row([answer.property, element("td", answer.verdict, answer.verdict.toUpperCase()), answer.words]));
  }
  const assumptions = [...new Set(data.answers.flatMap(answer => answer.assumptions))];
  const list = element("ul");
  for (const text of assumptions) add(list, element("li", "", text));
  const section = add(element("section"), element("h1", "", "Gordian report"), table,
    element("p", "faint", `Checked with ${data.checker} in ${data.seconds.toFixed(2)} s, gordian ${data.version}. ` +
      "Every violation was replayed by the interpreter."));
  if (assumptions.length) add(section, element("p", "", "Assuming that"), list);
  return section;
}

function statistics() {
  const table = element("table");
  for (const [name, value] of data.statistics) add(table, row([name, element("td", "mono", value)]));
  return add(element("section"), element("h2", "", "Statistics"), table);
}

// The values of all places after the first `count` events.
function values(finding, count) {
  const known = new Map();
  for (const event of finding.events.slice(0, count)) if (event.memory) known.set(event.memory[0], event.memory[1]);
  return known;
}

class Trace {
  constructor(finding, number) {
    this.finding = finding;
    this.now = 0;
    this.section = element("section", "finding-section");
    this.section.id = "finding-" + number;
    add(this.section, element("h2", "violated", `${finding.property}: ${finding.message}`),
      element("p", "mono", place(finding.place)));
    for (const reason of finding.suppressed) add(this.section, element("p", "unknown", "Suppressed: " + reason));
    for (const [where, text] of finding.related) add(this.section, element("p", "mono", `${text}  ${place(where)}`));
    if (finding.left_out) {
      add(this.section, element("p", "faint", `The first ${finding.left_out} events are left out.`));
    }
    this.buildBar();
    this.buildLanes();
    this.buildSource();
    this.buildValues();
    const right = add(element("div"), this.values, element("h3", "", "Source"), this.source);
    add(this.section, add(element("div", "panes"), this.lanes, right), element("h3", "", "Order of events"),
      add(element("div", "box graph"), this.drawing()));
  }

  buildBar() {
    this.position = element("span", "position");
    const bar = element("div", "bar");
    const buttons = [["first", () => 0], ["◀ back", () => this.now - 1], ["forward ▶", () => this.now + 1],
      ["last", () => this.finding.events.length - 1]];
    for (const [label, target] of buttons) {
      const button = element("button", "", label);
      button.addEventListener("click", () => this.show(target()));
      add(bar, button);
    }
    add(bar, this.position, element("span", "faint", "keys: ← → or k j, Home, End"));
    add(this.section, bar);
  }

  buildLanes() {
    const table = element("table", "trace");
    add(table, row(["", ...this.finding.threads.map(thread => `T${thread.id} ${thread.name}`)], "th"));
    this.rows = this.finding.events.map((event, number) => {
      const cells = [element("td", "faint mono", event.place ? String(event.place.line) : "")];
      for (const thread of this.finding.threads) {
        const own = thread.id === event.thread;
        cells.push(element("td", "lane" + (own && event.failure ? " failure" : ""), own ? event.text : ""));
      }
      const made = row(cells);
      const before = this.finding.events[number - 1];
      if (before && before.thread !== event.thread) made.classList.add("switch");
      made.addEventListener("click", () => this.show(number));
      add(table, made);
      return made;
    });
    this.lanes = add(element("div", "box lanes"), table);
  }

  buildSource() {
    this.source = element("div", "box");
    this.sourceLines = new Map();
    const findings = new Set([place(this.finding.place), ...this.finding.related.map(([where]) => place(where))]);
    data.files.forEach((file, number) => {
      const text = element("div", "source");
      file.lines.forEach((line, index) => {
        const made = add(element("div"), element("span", "number", String(file.first + index)), element("span", "", line));
        if (findings.has(`${file.path}:${file.first + index}`)) made.classList.add("finding");
        this.sourceLines.set(`${number}:${file.first + index}`, made);
        add(text, made);
      });
      add(this.source, element("p", "faint mono", file.path), text);
    });
  }

  buildValues() {
    this.values = element("div", "box");
    const table = add(element("table", "values"), row(["memory", "value"], "th"));
    this.valueCells = new Map();
    for (const name of new Set(this.finding.events.filter(event => event.memory).map(event => event.memory[0]))) {
      const cell = element("td", "mono", "");
      this.valueCells.set(name, cell);
      add(table, row([element("td", "mono", name), cell]));
    }
    add(this.values, table);
  }

  drawing() {
    const [lane, step, top] = [170, 22, 30];
    const make = (name, attributes) => {
      const made = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const key in attributes) made.setAttribute(key, attributes[key]);
      return made;
    };
    const column = new Map(this.finding.threads.map((thread, index) => [thread.id, 20 + index * lane]));
    const height = top + this.finding.events.length * step + 10;
    const svg = make("svg", { width: 20 + this.finding.threads.length * lane + 60, height });
    const at = number => [column.get(this.finding.events[number].thread), top + number * step];
    for (const thread of this.finding.threads) {
      const label = make("text", { x: column.get(thread.id) - 5, y: 14 });
      label.textContent = `T${thread.id} ${thread.name}`;
      add(svg, label);
    }
    const last = new Map();
    this.finding.events.forEach((event, number) => {
      const [x, y] = at(number);
      const before = last.get(event.thread);
      if (before !== undefined) add(svg, make("line", { class: "order", x1: x, y1: at(before)[1], x2: x, y2: y }));
      last.set(event.thread, number);
      if (event.reads_from !== null) {
        const [fromX, fromY] = at(event.reads_from);
        const bend = fromX === x ? 40 : 0;
        add(svg, make("path", { class: "from",
          d: `M ${fromX} ${fromY} C ${fromX + 30 + bend} ${fromY + 12}, ${x - 10 + bend} ${y - 12}, ${x} ${y}` }));
      }
    });
    this.dots = this.finding.events.map((event, number) => {
      const [x, y] = at(number);
      const dot = make("circle", { cx: x, cy: y, r: 4, class: event.failure ? "failure" : "" });
      dot.addEventListener("click", () => this.show(number));
      const label = make("text", { x: x + 9, y: y + 4 });
      label.textContent = event.text.length > 22 ? event.text.slice(0, 21) + "…" : event.text;
      add(svg, dot, label);
      return dot;
    });
    return svg;
  }

  show(number) {
    const events = this.finding.events;
    if (!events.length) return;
    const before = this.now;
    this.now = Math.max(0, Math.min(events.length - 1, number));
    const event = events[this.now];
    this.position.textContent = `step ${this.now + 1} of ${events.length}: T${event.thread} ${event.text}`;
    this.rows.forEach((made, index) => {
      made.classList.toggle("now", index === this.now);
      made.classList.toggle("later", index > this.now);
      made.classList.toggle("source-of-now", index === event.reads_from);
    });
    this.dots[before].classList.remove("now");
    this.dots[this.now].classList.add("now");
    const known = values(this.finding, this.now + 1);
    for (const [name, cell] of this.valueCells) {
      cell.textContent = known.has(name) ? known.get(name) : "";
      cell.classList.toggle("changed", event.writes && event.memory[0] === name);
    }
    for (const line of this.source.querySelectorAll(".now")) line.classList.remove("now");
    const line = event.place && this.sourceLines.get(`${event.place.file}:${event.place.line}`);
    if (line) {
      line.classList.add("now");
      scrollInto(this.source, line);
    }
    scrollInto(this.lanes, this.rows[this.now]);
  }
}

// Scrolls a box, and only the box, so that its element is seen.
function scrollInto(box, made) {
  const [inner, outer] = [made.getBoundingClientRect(), box.getBoundingClientRect()];
  if (inner.top < outer.top + 30) box.scrollTop -= outer.top + 30 - inner.top;
  if (inner.bottom > outer.bottom - 10) box.scrollTop += inner.bottom - outer.bottom + 10;
}

const page = document.getElementById("page");
page.textContent = "";
add(page, summary());
const traces = data.findings.map((finding, number) => new Trace(finding, number));
for (const trace of traces) {
  add(page, trace.section);
  trace.show(0);
}
add(page, statistics());

// Keys go to the trace that is in the middle of the window, or to the only one.
function active() {
  const middle = window.innerHeight / 2;
  const seen = trace => trace.section.getBoundingClientRect();
  return traces.find(trace => seen(trace).top <= middle && seen(trace).bottom >= middle) || traces[0];
}

document.addEventListener("keydown", event => {
  const trace = active();
  if (!trace || event.ctrlKey || event.altKey || event.metaKey) return;
  const targets = { ArrowRight: trace.now + 1, j: trace.now + 1, ArrowLeft: trace.now - 1, k: trace.now - 1,
    Home: 0, End: trace.finding.events.length - 1 };
  if (!(event.key in targets)) return;
  event.preventDefault();
  trace.show(targets[event.key]);
});
