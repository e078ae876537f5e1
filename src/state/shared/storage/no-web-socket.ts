/** What supabase-js gets for Realtime where there is no WebSocket, as in Node 20: it refuses to start without one. */
export class NoWebSocket extends EventTarget {
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSING = 2;
  readonly CLOSED = 3;
  readonly readyState = 3;
  readonly protocol = "";
  readonly url: string;
  onopen = null;
  onmessage = null;
  onclose = null;
  onerror = null;

  constructor(address: string | URL) {
    super();
    this.url = String(address);
  }

  close(): void {}

  send(): void {
    throw new Error("There is no WebSocket here.");
  }
}
