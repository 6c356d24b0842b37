// A table that comes by itself: not everybody may see keys, or clients, who sees the figures. The buttons say which of
// the lists it came with is shown.
class Report {
  constructor(path, title, unit, heads, nothing, choices) {
    this.table = new Table(title, unit, heads, nothing);
    this.panel = this.table.panel;
    this.path = path;
    this.by = choices[0];
    this.lists = {};
    this.isAsking = false;
    const buttons = choices.map(by => {
      const button = element("button", { type: "button", "aria-pressed": by === this.by }, by);
      button.addEventListener("click", () => {
        this.by = by;
        buttons.forEach(other => other.setAttribute("aria-pressed", other === button));
        this.show();
      });
      return button;
    });
    this.choice = element("div", { class: "choice small", role: "group", "aria-label": title + " by" }, ...buttons);
    this.panel.insertBefore(this.choice, this.panel.children[1]);
  }

  async ask() {
    if (this.isAsking) {
      return;
    }
    this.isAsking = true;
    try {
      const response = await fetch(this.path);
      if (response.status === 403) {
        const what = this.path === "clients" ? "Clients" : "Keys";
        setText(this.table.nothing, `${what} are shown to users who may execute STRATA ${this.path.toUpperCase()}.`);
        this.choice.hidden = true;
        this.lists = {};
      } else if (response.ok) {
        this.choice.hidden = false;
        this.lists = await response.json();
      }
      this.show();
    } catch {
      // The server is not there; the page says so.
    } finally {
      this.isAsking = false;
    }
  }

  // Rows of cells, of which some have a title, [text, title].
  show() {
    const rows = this.rowsOf(this.lists[this.by] || []);
    this.table.update(rows.map(cells => cells.map(cell => Array.isArray(cell) ? cell[0] : cell)));
    rows.forEach((cells, at) => cells.forEach((cell, column) => {
      if (Array.isArray(cell)) {
        this.table.body.rows[at].cells[column].title = cell[1];
      }
    }));
  }
}

// The keys that are used most, by reads, writes or bytes.
class HotKeys extends Report {
  constructor() {
    super("hotkeys", "Hot keys", "a second, last minutes", ["key", "db", "a second", "share", ""],
      "No key was used in the last minutes.", ["reads", "writes", "bytes"]);
  }

  rowsOf(keys) {
    const most = Math.max(1e-9, ...keys.map(key => key.share));
    const format = this.by === "bytes" ? "rate" : "count";
    return keys.map(key => [
      [key.name, key.name + (key.isWhole ? "" : ` (${whole(key.length)} bytes)`)], String(key.db),
      [text(format, key.perSecond), `${text(format, key.atLeast)} to ${text(format, key.atMost)}`],
      text("percent", 100 * key.share), key.share / most,
    ]);
  }
}

// What memory goes by what keys begin with, and the largest keys.
class Prefixes extends Report {
  constructor() {
    super("prefixes", "Memory by prefix", "estimated from a sample",
      ["prefix or key", "db", "keys", "memory", "disk", ""], "There are no keys.", ["prefixes", "large"]);
  }

  rowsOf(entries) {
    const range = (format, [, least, most]) => `${text(format, least)} to ${text(format, most)}`;
    if (this.by === "large") {
      const most = Math.max(1, ...entries.map(key => key.bytes));
      return entries.map(key => [
        [key.name, key.name], String(key.db), "1", text("bytes", key.isCold ? 0 : key.bytes),
        text("bytes", key.isCold ? key.bytes : 0), key.bytes / most,
      ]);
    }
    const most = Math.max(1e-9, ...entries.map(entry => entry.share));
    return entries.map(entry => [
      [entry.name || "(no prefix)", entry.name], String(entry.db),
      [text("count", entry.keys[0]), range("count", entry.keys)],
      [text("bytes", entry.memory[0]), range("bytes", entry.memory)],
      [text("bytes", entry.disk[0]), range("bytes", entry.disk)], entry.share / most,
    ]);
  }
}

// What clients have cost, by who they are.
class Costs extends Report {
  constructor() {
    super("clients", "Clients by what they cost", "since they first came",
      ["client", "now", "commands", "bytes", "time", ""], "No client was here yet.",
      ["owner", "name", "address", "user"]);
  }

  rowsOf(clients) {
    const most = Math.max(1e-9, ...clients.map(client => client.share));
    return clients.map(client => {
      const names = {
        name: [client.name, client.library], address: [client.address], user: [client.user],
        owner: [client.name, client.library, client.address, client.user],
      }[this.by].filter(name => name).join(" · ") || "(no name)";
      return [
        [names, names], String(client.connections), text("count", client.commands), text("bytes", client.bytes),
        [text("micros", client.microseconds), text("percent", 100 * client.share)], client.share / most,
      ];
    });
  }
}
