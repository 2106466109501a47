// What the page does beyond being read. Everything is there without it.
"use strict";
const words = JSON.parse(document.getElementById("words").textContent);

function button(text, label, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  if (label) made.setAttribute("aria-label", label);
  made.addEventListener("click", () => act(made));
  return made;
}

// --- commands can be copied ------------------------------------------------------------------------
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A file that was opened from a disk may have no clipboard: select it, as a hand would.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
for (const block of document.querySelectorAll("pre.copied")) {
  const text = block.textContent;
  const frame = document.createElement("div");
  frame.className = "command";
  block.replaceWith(frame);
  frame.append(block, button(words.copy, "", async (self) => {
    await copy(text);
    self.textContent = words.copied;
    setTimeout(() => { self.textContent = words.copy; }, 1500);
  }));
}

// --- the time line becomes wider, and its names longer ---------------------------------------------
const LEFT = 130, LETTER = 7;  // as in pictures.py
function shortened(text, letters) {
  if (text.length <= letters) return text;
  if (letters < 3) return "";
  const head = (letters - 1) >> 1;
  return text.slice(0, head) + "…" + text.slice(text.length - (letters - 1 - head));
}
function zoom(svg, factor) {
  const wide = (x) => (x <= LEFT ? x : LEFT + (x - LEFT) * factor);
  const [width, height] = svg.dataset.size.split(" ").map(Number);
  for (const shape of svg.querySelectorAll("rect, line, text")) {
    shape.dataset.was ??= JSON.stringify(["x", "x1", "x2", "width"].map((name) => shape.getAttribute(name)));
    const [x, x1, x2, size] = JSON.parse(shape.dataset.was).map((one) => (one === null ? null : Number(one)));
    if (x !== null) shape.setAttribute("x", wide(x));
    if (x1 !== null) shape.setAttribute("x1", wide(x1));
    if (x2 !== null) shape.setAttribute("x2", wide(x2));
    if (size !== null) shape.setAttribute("width", size * factor);
  }
  for (const link of svg.querySelectorAll("a")) {
    const label = link.querySelector("text"), box = link.querySelector("rect");
    label.textContent = shortened(label.dataset.full, Math.floor((Number(box.getAttribute("width")) - 5) / LETTER));
  }
  const whole = Math.round(wide(width));
  svg.setAttribute("viewBox", `0 0 ${whole} ${height}`);
  svg.setAttribute("width", whole);
  svg.style.width = factor > 1 ? `${whole}px` : "";
}
for (const figure of document.querySelectorAll("figure.zooms")) {
  const svg = figure.querySelector("svg");
  svg.dataset.size = `${svg.getAttribute("width")} ${svg.getAttribute("height")}`;
  let factor = 1;
  const to = (wanted) => () => { factor = Math.min(16, Math.max(1, wanted())); zoom(svg, factor); };
  const bar = document.createElement("div");
  bar.className = "zoom";
  bar.append(
    button("−", words.zoom_out, to(() => factor / 2)),
    button("+", words.zoom_in, to(() => factor * 2)),
    button("1:1", words.zoom_reset, to(() => 1)),
  );
  figure.prepend(bar);
}

// --- a link opens what its target is folded into -----------------------------------------------------
function reveal() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  if (target) target.scrollIntoView({ block: "center" });
}
addEventListener("hashchange", reveal);
reveal();

// --- the contents say where one is ---------------------------------------------------------------
const links = new Map([...document.querySelectorAll("nav a")].map((one) => [one.hash.slice(1), one]));
const seen = new Set();
const observer = new IntersectionObserver((changes) => {
  for (const one of changes) seen[one.isIntersecting ? "add" : "delete"](one.target.id);
  const first = [...links.keys()].find((name) => seen.has(name));
  for (const [name, link] of links) {
    if (name === first) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}, { rootMargin: "-10% 0px -60% 0px" });
document.querySelectorAll("section").forEach((one) => observer.observe(one));
