// Samples that are not on the disk of the studio yet, and unfinished ink, kept in this browser.
import { ApiError, part, persistently, put } from "/js/api.js";

const prefix = "collect:";
/** Milliseconds after which a request is sent again on a new connection. */
const patience = 20000;

/** Returns a new identifier. Browsers offer randomUUID on encrypted or local pages only. */
export function identifier() {
  const bytes = crypto.getRandomValues(new Uint8Array(15));
  return Array.from(bytes, (each) => each.toString(36).padStart(2, "0")).join("");
}

function keep(key, value) {
  try {
    localStorage.setItem(prefix + key, JSON.stringify(value));
    return true;
  } catch {
    // The storage is full or not allowed.
    return false;
  }
}

function drop(key) {
  try {
    localStorage.removeItem(prefix + key);
  } catch {
    // There is no storage, so there is nothing in it.
  }
}

/** Returns the kept values of a kind, such as "pending", with their keys; oldest first. */
function kept(kind, name) {
  const found = [];
  try {
    for (let index = 0; index < localStorage.length; index++) {
      const key = localStorage.key(index);
      if (!key.startsWith(`${prefix}${kind}:`)) continue;
      const value = JSON.parse(localStorage.getItem(key));
      if (value && (name === undefined || value.name === name)) found.push({ ...value, key: key.slice(prefix.length) });
    }
  } catch {
    // Values of another program, or no storage.
  }
  return found.sort((one, other) => one.time - other.time);
}

/** Sends a sample until the studio answers. Throws an ApiError if it refuses the sample. */
export function send({ name, prompt, body }, onWait) {
  return persistently(
    () => put(`/v1/collect/${part(name)}/samples/${prompt}`, body, { signal: AbortSignal.timeout(patience) }),
    { onWait });
}

/** Keeps a sample until `sent` is called. Returns false if this browser has no room. */
export function keepPending(sample) {
  return keep(`pending:${sample.name}:${sample.body.id}`, { ...sample, time: Date.now() });
}

export function sent(sample) {
  drop(`pending:${sample.name}:${sample.body.id}`);
}

/** Returns the samples that may not be on the disk yet. */
export const pending = (name) => kept("pending", name);

/**
 * Sends all samples of a session that may not be on the disk yet. A sample that the studio knows
 * already is not stored twice. Returns the number of saved samples; throws the first other error.
 */
export async function flush(name, onWait) {
  let saved = 0;
  for (const sample of pending(name)) {
    try {
      const answer = await send(sample, onWait);
      if (!answer.isRepeated) saved += 1;
      sent(sample);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 401 || error.status >= 500) throw error;
      // Another page wrote the prompt, or the studio refuses the sample. It stays in the browser.
      putAside(sample);
      sent(sample);
      if (error.code !== "conflict") throw error;
    }
  }
  return saved;
}

// MARK: - Samples of prompts that another page wrote

/** Keeps a sample whose prompt another page wrote. */
export function putAside(sample) {
  return keep(`aside:${sample.name}:${sample.body.id}`, { ...sample, time: sample.time ?? Date.now() });
}

export const aside = (name) => kept("aside", name);
export const dropAside = (sample) => drop(`aside:${sample.name}:${sample.body.id}`);

// MARK: - Unfinished ink

const channel = "BroadcastChannel" in window ? new BroadcastChannel("ductus-collect") : null;
const listeners = new Set();
let tab = null;

channel?.addEventListener("message", ({ data }) => {
  if (data?.ask !== undefined && data.ask === tab && data.from !== me) channel.postMessage({ alive: tab });
  if (data?.changed !== undefined) for (const each of listeners) each(data.changed);
});

/** Tells apart two copies of one tab, which begin with the same storage. */
const me = identifier();

/** Returns true if another tab has an identifier. */
function isAlive(id) {
  if (!channel) return Promise.resolve(false);
  return new Promise((done) => {
    const heard = ({ data }) => {
      if (data?.alive === id) finish(true);
    };
    const finish = (answer) => {
      channel.removeEventListener("message", heard);
      clearTimeout(timer);
      done(answer);
    };
    const timer = setTimeout(() => finish(false), 150);
    channel.addEventListener("message", heard);
    channel.postMessage({ ask: id, from: me });
  });
}

/** The identifier of this tab; it survives a reload. */
async function ownTab() {
  if (tab) return tab;
  let id = null;
  try {
    id = sessionStorage.getItem(`${prefix}tab`);
    if (id && await isAlive(id)) id = null;
    id ??= identifier();
    sessionStorage.setItem(`${prefix}tab`, id);
  } catch {
    id ??= identifier();
  }
  tab ??= id;
  return tab;
}

/** Keeps unfinished ink; without strokes, forgets it. Returns false if there is no room. */
export function keepDraft(name, prompt, strokes, frame) {
  if (!tab) return true;
  if (strokes.length === 0) {
    drop(`draft:${name}:${tab}`);
    return true;
  }
  return keep(`draft:${name}:${tab}`, { name, prompt, strokes, frame, tab, time: Date.now() });
}

/** Returns the unfinished ink of this tab, or of one that was closed; null if there is none. */
export async function draft(name) {
  const own = await ownTab();
  const drafts = kept("draft", name);
  const mine = drafts.find((each) => each.tab === own);
  if (mine) return mine;
  for (const each of drafts.reverse()) {
    if (await isAlive(each.tab)) continue;
    drop(each.key);
    keep(`draft:${name}:${own}`, { ...each, tab: own });
    return each;
  }
  return null;
}

// MARK: - Other tabs

/** Tells other tabs that a session changed. */
export const announce = (name) => channel?.postMessage({ changed: name });

/** Calls a function with the name of a session that another tab changed; returns the removal. */
export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
