/** What supabase-js gets for Realtime, which nothing here uses: Node 20 has no WebSocket that it would find by itself. */
export class UnusedWebSocket extends EventTarget {
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
    throw new Error("The studio does not use Realtime.");
  }
}
