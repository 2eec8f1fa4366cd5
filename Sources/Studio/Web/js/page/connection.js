// The connection of a page: sends commands, keeps them until the studio has saved them, and gets
// changes. A command is sent again after a cut; the studio applies each id once.
import { part } from "/js/api.js";

const prefix = "studio-page/";

/** Commands that are not saved yet, in the browser's storage so that a reload keeps them. */
class Outbox {
  #name;
  /** Entries { id, command, attempts } in the order they were made. */
  entries = [];
  /** True if the browser's storage refused an entry. */
  isFull = false;

  constructor(name) {
    this.#name = name;
    const own = `${prefix}${name}/`;
    try {
      for (let i = 0; i < localStorage.length; i++) {
        const key = localStorage.key(i);
        if (!key.startsWith(own)) continue;
        try {
          const command = JSON.parse(localStorage.getItem(key));
          this.entries.push({ id: command.id, command, attempts: 1 });
        } catch {
          localStorage.removeItem(key);
        }
      }
    } catch {
      this.isFull = true;
    }
    // Ids begin with the time, so their order is that of writing.
    this.entries.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  add(command) {
    this.entries.push({ id: command.id, command, attempts: 0 });
    this.#store(command);
  }

  #store(command) {
    try {
      localStorage.setItem(`${prefix}${this.#name}/${command.id}`, JSON.stringify(command));
      this.isFull = false;
    } catch {
      this.isFull = true;
    }
  }

  remove(id) {
    const index = this.entries.findIndex((each) => each.id === id);
    try {
      localStorage.removeItem(`${prefix}${this.#name}/${id}`);
    } catch {
      // There is no storage, so nothing is in it.
    }
    return index < 0 ? null : this.entries.splice(index, 1)[0];
  }

  /** Moves everything to another name of the page. */
  rename(name) {
    const entries = this.entries.slice();
    for (const each of entries) this.remove(each.id);
    this.#name = name;
    for (const each of entries) this.#store(each.command);
    this.entries = entries;
  }
}

/**
 * The samples of a stroke while it is written, so that the studio has them when it ends. The whole
 * stroke is sent as a command nevertheless: that one is confirmed, and nothing is lost with these.
 */
class LivePen {
  /** The name of the stroke, for the member `pen` of its command. */
  id;
  #socket;
  #sent = 0;
  /** The bytes that may wait on a slow connection before samples are held back. */
  static mostWaiting = 16384;

  constructor(socket, id) {
    this.#socket = socket;
    this.id = id;
  }

  /** Sends the samples that the stroke has gained. */
  follow(stroke) {
    const count = stroke.x.length;
    const socket = this.#socket;
    if (count === this.#sent || socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > LivePen.mostWaiting) return;
    const message = { type: "pen", pen: this.id, from: this.#sent };
    for (const key of ["x", "y", "t", "force", "azimuth", "altitude"]) {
      if (stroke[key]) message[key] = stroke[key].slice(this.#sent);
    }
    if (this.#sent === 0) message.time = stroke.time;
    this.#sent = count;
    socket.send(JSON.stringify(message));
  }

  /** Tells that no stroke comes of it. */
  cancel() {
    if (this.#sent > 0 && this.#socket.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify({ type: "pen", pen: this.id, isCancelled: true }));
    }
  }
}

/**
 * Events: "state" when `isOpen` or `pending` changed; "changes" with detail = the message; "done"
 * and "refused" with detail = { entry, error }; "renamed" with detail.name; "deleted"; "failed" with
 * detail = { code, message } if the page cannot be opened.
 */
export class PageConnection extends EventTarget {
  isOpen = false;
  #name;
  #outbox;
  #socket = null;
  #isRemoved = false;
  #wait = 200;
  #timer = null;
  #heard = 0;
  #pulse;
  #epoch = null;
  #revision = null;
  #serial = 0;
  #session = Math.random().toString(36).slice(2, 8).padEnd(6, "0");

  /** Milliseconds between checks of a silent connection, and after which it counts as cut. */
  static pulse = 15000;
  static patience = 8000;

  constructor(name) {
    super();
    this.#name = name;
    this.#outbox = new Outbox(name);
    this.wake = () => this.#reconnect(0);
    addEventListener("online", this.wake);
    this.#pulse = setInterval(() => this.#check(), 2000);
  }

  /** Connects. Add listeners first. */
  open() {
    this.#connect();
  }

  /** The commands that are not saved yet: { id, command }. */
  get pending() {
    return this.#outbox.entries;
  }

  /** True if the browser cannot keep commands over a reload. */
  get isVolatile() {
    return this.#outbox.isFull;
  }

  /** Sends a command; returns its id. */
  send(command) {
    this.#serial += 1;
    const time = Date.now().toString(36).padStart(9, "0");
    const id = `${time}-${this.#serial.toString(36).padStart(6, "0")}-${this.#session}`;
    this.#outbox.add({ id, ...command });
    this.#flush();
    this.#tell();
    return id;
  }

  /** Returns a pen that sends a stroke while it is written; null without a connection. */
  livePen() {
    if (this.#socket?.readyState !== WebSocket.OPEN) return null;
    this.#serial += 1;
    return new LivePen(this.#socket, `${this.#serial.toString(36)}-${this.#session}`);
  }

  /** Takes back the last command if it was never sent; returns it, or null. */
  withdraw() {
    const last = this.#outbox.entries.at(-1);
    if (!last || last.attempts > 0) return null;
    this.#outbox.remove(last.id);
    this.#tell();
    return last;
  }

  /** Closes the connection. Commands that are not saved stay in the browser. */
  remove() {
    this.#isRemoved = true;
    removeEventListener("online", this.wake);
    clearInterval(this.#pulse);
    clearTimeout(this.#timer);
    const socket = this.#socket;
    // The browser reports a connection that is closed before it is open as an error.
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket?.close();
  }

  #tell() {
    this.dispatchEvent(new Event("state"));
  }

  #connect() {
    if (this.#isRemoved) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/v1/pages/${part(this.#name)}/socket`);
    this.#socket = socket;
    this.#heard = performance.now();
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      this.isOpen = true;
      this.#heard = performance.now();
      const hello = { type: "hello" };
      if (this.#epoch !== null) Object.assign(hello, { epoch: this.#epoch, revision: this.#revision });
      socket.send(JSON.stringify(hello));
      for (const each of this.#outbox.entries) each.isSent = false;
      this.#flush();
      this.#tell();
    };
    socket.onmessage = (event) => {
      if (socket !== this.#socket) return;
      this.#heard = performance.now();
      this.#receive(event.data);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lost();
    };
  }

  #lost() {
    this.#socket = null;
    const wasOpen = this.isOpen;
    this.isOpen = false;
    if (this.#isRemoved) return;
    this.#reconnect(this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(5000, this.#wait * 1.6);
    if (wasOpen) this.#tell();
    else this.#explain();
  }

  /** Finds out why a socket does not open: the browser does not tell. */
  async #explain() {
    let answer;
    try {
      answer = await fetch("/v1/pages", { credentials: "same-origin" });
    } catch {
      // The studio is not there: the state says so.
      return;
    }
    if (answer.ok || this.#isRemoved) return;
    const { error } = await answer.json().catch(() => ({}));
    if (error) this.dispatchEvent(new CustomEvent("failed", { detail: error }));
  }

  #reconnect(wait) {
    if (this.#socket !== null || this.#isRemoved) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#socket === null) this.#connect();
    }, wait);
  }

  /** Notices a connection that was cut without a close. */
  #check() {
    const socket = this.#socket;
    if (socket === null) return;
    const silence = performance.now() - this.#heard;
    const waits = !this.isOpen || this.#outbox.entries.length > 0 || silence > PageConnection.pulse;
    if (waits && silence > PageConnection.patience + (this.isOpen && this.#outbox.entries.length === 0 ? PageConnection.pulse : 0)) {
      socket.onclose = socket.onmessage = socket.onopen = null;
      socket.close();
      this.#lost();
    } else if (this.isOpen && (silence > PageConnection.pulse || (waits && silence > 2500))) {
      socket.send('{"type":"ping"}');
    }
  }

  #flush() {
    if (!this.isOpen || this.#socket?.readyState !== WebSocket.OPEN) return;
    for (const each of this.#outbox.entries) {
      if (each.isSent) continue;
      each.isSent = true;
      each.attempts += 1;
      this.#socket.send(JSON.stringify(each.command));
    }
  }

  #receive(text) {
    const message = JSON.parse(text);
    switch (message.type) {
      case "changes":
        this.#wait = 200;
        this.#socket?.send(JSON.stringify({ type: "seen", serial: message.serial }));
        this.#epoch = message.isComplete ? message.epoch : null;
        this.#revision = message.revision;
        this.dispatchEvent(new CustomEvent("changes", { detail: message }));
        break;
      case "done": {
        const entry = this.#outbox.remove(message.id);
        if (entry) this.dispatchEvent(new CustomEvent("done", { detail: { entry } }));
        this.#tell();
        break;
      }
      case "error":
        this.#refused(message);
        break;
      case "renamed":
        this.#outbox.rename(message.name);
        this.dispatchEvent(new CustomEvent("renamed", { detail: message }));
        break;
      case "deleted":
        this.dispatchEvent(new Event("deleted"));
        break;
    }
  }

  #refused(error) {
    // What may work later stays in the outbox: the disk is full, or the page is being closed.
    const isTemporary = error.code === "busy" || error.code === "unusableFile";
    if (error.id && !isTemporary) {
      const entry = this.#outbox.remove(error.id);
      if (entry) this.dispatchEvent(new CustomEvent("refused", { detail: { entry, error } }));
      this.#tell();
    } else if (error.id) {
      this.dispatchEvent(new CustomEvent("refused", { detail: { entry: null, error } }));
      setTimeout(() => this.#socket?.close(), 1000);
    } else {
      this.dispatchEvent(new CustomEvent("failed", { detail: error }));
      this.#socket?.close();
    }
  }
}
