"use strict";

// How figures are written. What cannot be known (no traffic, no measurement) is a dash.
const DASH = "–";

function trimmed(value) {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 || size === 0 ? 0 : size >= 10 ? 1 : 2);
}

function scaled(value, base, units) {
  let unit = 0;
  while (Math.abs(value) >= base * 0.9995 && unit < units.length - 1) {
    value /= base;
    unit++;
  }
  return [unit === 0 && (Number.isInteger(value) || value >= 10) ? value.toFixed(0) : trimmed(value), units[unit]];
}

// Each gives [number, unit].
const split = {
  count: value => scaled(value, 1000, ["", "k", "M", "G", "T"]),
  bytes: value => scaled(value, 1024, ["B", "KiB", "MiB", "GiB", "TiB"]),
  rate: value => { const [number, unit] = split.bytes(value); return [number, unit + "/s"]; },
  perSecond: value => { const [number, unit] = split.count(value); return [number, unit + "/s"]; },
  percent: value => [value.toFixed(value >= 99.95 || value < 0.05 ? 0 : 1), "%"],
  micros: value => scaled(value, 1000, ["µs", "ms", "s"]),
};

function text(format, value) {
  if (!Number.isFinite(value)) {
    return DASH;
  }
  const [number, unit] = split[format](value);
  return number + (/^[kMGT]?(\/s)?$/.test(unit) ? unit : " " + unit);
}

function whole(value) {
  return Number.isFinite(value) ? Math.round(value).toLocaleString("en-US") : DASH;
}

function duration(seconds) {
  const parts = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  const first = parts.findIndex(([size]) => seconds >= size);
  if (first < 0) {
    return "0 s";
  }
  const [size, unit] = parts[first];
  const next = parts[first + 1];
  const rest = next ? Math.floor(seconds % size / next[0]) : 0;
  return Math.floor(seconds / size) + " " + unit + (rest ? " " + rest + " " + next[1] : "");
}

function clockTime(ms) {
  return new Date(ms).toLocaleTimeString("en-GB");
}

// Elements are made of text, never of markup: whatever a text holds it stays a text.
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function setText(node, value) {
  if (node.textContent !== value) {
    node.textContent = value;
  }
}
