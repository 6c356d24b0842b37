// The keys that are used most, by reads, writes or bytes. They come by themselves: not everybody may see keys who sees
// the figures.
class HotKeys {
  constructor() {
    this.table = new Table("Hot keys", "a second, last minutes", ["key", "db", "a second", "share", ""],
      "No key was used in the last minutes.");
    this.panel = this.table.panel;
    this.by = "reads";
    this.keys = {};
    this.isAsking = false;
    const buttons = ["reads", "writes", "bytes"].map(by => {
      const button = element("button", { type: "button", "aria-pressed": by === this.by }, by);
      button.addEventListener("click", () => {
        this.by = by;
        buttons.forEach(other => other.setAttribute("aria-pressed", other === button));
        this.show();
      });
      return button;
    });
    this.choice = element("div", { class: "choice small", role: "group", "aria-label": "Hot keys by" }, ...buttons);
    this.panel.insertBefore(this.choice, this.panel.children[1]);
  }

  async ask() {
    if (this.isAsking) {
      return;
    }
    this.isAsking = true;
    try {
      const response = await fetch("hotkeys");
      if (response.status === 403) {
        setText(this.table.nothing, "Keys are shown to users who may execute STRATA HOTKEYS.");
        this.choice.hidden = true;
        this.keys = {};
      } else if (response.ok) {
        this.choice.hidden = false;
        this.keys = await response.json();
      }
      this.show();
    } catch {
      // The server is not there; the page says so.
    } finally {
      this.isAsking = false;
    }
  }

  show() {
    const keys = this.keys[this.by] || [];
    const most = Math.max(1e-9, ...keys.map(key => key.share));
    const format = this.by === "bytes" ? "rate" : "count";
    this.table.update(keys.map(key => [
      key.name, String(key.db), text(format, key.perSecond), text("percent", 100 * key.share), key.share / most,
    ]));
    keys.forEach((key, at) => {
      const [name, , rate] = this.table.body.rows[at].cells;
      name.title = key.name + (key.isWhole ? "" : ` (${whole(key.length)} bytes)`);
      rate.title = `${text(format, key.atLeast)} to ${text(format, key.atMost)}`;
    });
  }
}
