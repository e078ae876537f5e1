import { frameMessages } from "../doors/chat-frame.ts";
import { readButtonLooks, usualLooks } from "./button-looks.ts";
import { widgetStyles } from "./widget-styles.ts";

/** Gives a signed token for the visitor: `{ sub, exp }` signed with the chat page's secret. */
export type GiveIdentity = () => string | Promise<string>;

/** Where this script came from is where the chat page is. */
const home = new URL(document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : location.href)
  .origin;

/** Where the chat page's server is; the chat page itself finds it the same way. */
const backend = import.meta.env.VITE_SUPABASE_URL;
const server = backend ? `${new URL(backend).origin}/functions/v1/doors` : home;

const slugPattern = /^[a-z0-9-]{1,60}$/;

const bubble =
  '<svg viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M7.9 20A9 9 0 1 0 4 16.1L2 22Z"/></svg>';
const cross =
  '<svg viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true"><path d="M18 6 6 18M6 6l12 12"/></svg>';

/**
 * `<switchyard-chat slug="support">`: a button in the corner that opens the chat page of a published workflow in a frame.
 *
 * Attributes: `slug` (required), `label` (what the button is called; default "Chat"), `open`. Methods: `open()`, `close()`,
 * `send(text)`. Property `identity`: for chat pages whose visitors the site signs. Events: `chat-open`, `chat-close`,
 * `chat-answer` with `detail.status`. Looks: the button has the page's colour; the CSS variables `--switchyard-chat-accent`, `-ink`, `-width`, `-height`,
 * `-offset`, `-radius` and `-layer` change it and the rest.
 */
export class SwitchyardChat extends HTMLElement {
  static readonly observedAttributes = ["slug", "label"];

  identity: GiveIdentity | string | null = null;
  private readonly button = document.createElement("button");
  private readonly panel = document.createElement("div");
  private frame: HTMLIFrameElement | null = null;
  private waiting: string[] = [];
  private isReady = false;
  /** Not before `connectedCallback`: an element that the script finds in the page is told of its attributes earlier. */
  private isPlaced = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const styles = new CSSStyleSheet();
    styles.replaceSync(widgetStyles);
    // Not an element: a site's policy may forbid those.
    root.adoptedStyleSheets = [styles];
    this.button.type = "button";
    this.button.setAttribute("aria-haspopup", "dialog");
    this.button.addEventListener("click", () => (this.isOpen ? this.close() : this.open()));
    this.panel.id = "panel";
    this.panel.setAttribute("role", "dialog");
    this.panel.hidden = true;
    this.button.setAttribute("aria-controls", this.panel.id);
    root.append(this.panel, this.button);
    root.addEventListener("keydown", (event) => {
      if (event instanceof KeyboardEvent && event.key === "Escape" && this.isOpen) this.close();
    });
  }

  get isOpen(): boolean {
    return !this.panel.hidden;
  }

  connectedCallback(): void {
    this.isPlaced = true;
    addEventListener("message", this.hear);
    this.show();
    void this.takeLooks();
    if (this.hasAttribute("open")) this.open();
  }

  disconnectedCallback(): void {
    this.isPlaced = false;
    removeEventListener("message", this.hear);
  }

  attributeChangedCallback(name: string): void {
    if (name === "slug" && this.isPlaced) void this.takeLooks();
    if (name === "slug" && this.frame) {
      // Another chat: what was open belongs to the one before.
      this.frame.remove();
      this.frame = null;
      this.isReady = false;
      if (this.isOpen) this.load();
    }
    this.show();
  }

  /** Opens the chat and puts the focus into it. */
  open(): void {
    if (!this.load()) return;
    const wasOpen = this.isOpen;
    this.panel.hidden = false;
    this.show();
    this.frame?.focus();
    if (!wasOpen) this.dispatchEvent(new CustomEvent("chat-open"));
  }

  /** Closes the chat; the conversation stays as it is. */
  close(): void {
    if (!this.isOpen) return;
    this.panel.hidden = true;
    this.show();
    this.button.focus();
    this.dispatchEvent(new CustomEvent("chat-close"));
  }

  /** Opens the chat and sends a message for the visitor. */
  send(text: string): void {
    this.waiting.push(text);
    this.open();
    this.deliver();
  }

  private show(): void {
    const label = this.getAttribute("label") ?? "Chat";
    this.button.innerHTML = this.isOpen ? cross : bubble;
    this.button.setAttribute("aria-label", this.isOpen ? `Close ${label}` : label);
    this.button.setAttribute("aria-expanded", String(this.isOpen));
    this.panel.setAttribute("aria-label", label);
    if (this.frame) this.frame.title = label;
  }

  /** Gives the button the colours of the page. It waits for them, so that no other flashes up. */
  private async takeLooks(): Promise<void> {
    const slug = this.getAttribute("slug") ?? "";
    const { style } = this.button;
    style.visibility = "hidden";
    const looks = slugPattern.test(slug) ? await readButtonLooks(`${server}/c-api/${slug}/page`) : usualLooks;
    if (slug !== (this.getAttribute("slug") ?? "")) return;
    style.colorScheme = looks.colorScheme;
    style.setProperty("--page-accent", looks.accent);
    style.setProperty("--page-ink", looks.ink);
    style.visibility = "";
  }

  /** Loads the page the first time it is wanted. */
  private load(): boolean {
    if (this.frame) return true;
    const slug = this.getAttribute("slug") ?? "";
    if (!slugPattern.test(slug)) {
      console.error('<switchyard-chat> needs the address of a published workflow: <switchyard-chat slug="support">.');
      return false;
    }
    this.frame = document.createElement("iframe");
    this.frame.src = `${home}/c/${slug}`;
    this.frame.allow = "clipboard-write";
    this.panel.append(this.frame);
    return true;
  }

  /** Only what this element's own frame says counts. */
  private readonly hear = (event: MessageEvent<unknown>): void => {
    if (!this.frame || event.source !== this.frame.contentWindow) return;
    const { data } = event;
    const type: unknown = typeof data === "object" && data !== null && "type" in data ? data.type : undefined;
    if (type === frameMessages.ready) void this.vouch();
    else if (type === frameMessages.listening) {
      this.isReady = true;
      this.deliver();
    } else if (type === frameMessages.close) this.close();
    else if (type === frameMessages.answer) {
      const status: unknown = typeof data === "object" && data !== null && "status" in data ? data.status : undefined;
      this.dispatchEvent(new CustomEvent("chat-answer", { detail: { status } }));
    }
  };

  private async vouch(): Promise<void> {
    const given = typeof this.identity === "function" ? await this.identity() : this.identity;
    if (given) this.tell({ type: frameMessages.identity, identity: given });
  }

  private deliver(): void {
    if (!this.isReady) return;
    for (const text of this.waiting.splice(0)) this.tell({ type: frameMessages.send, text });
  }

  /** The page has an opaque origin, which no target can name. */
  private tell(message: object): void {
    this.frame?.contentWindow?.postMessage(message, "*");
  }
}

if (!customElements.get("switchyard-chat")) customElements.define("switchyard-chat", SwitchyardChat);
