import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useApprovalStore, useDocumentStore, useEditor, useServices } from "../../state/editor/editor-context.tsx";
import { showNode } from "../../state/editor/show-node.ts";
import type { AppHosts, ShownApp } from "../../engine/tool/tool-app.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { useIsDark } from "../../ui/theme/theme.ts";
import { AppQuestion, linkToOpen, messageToSend, type Question } from "./app-question.tsx";
import { sealedDocument } from "./app-policy.ts";
import { presentHosts } from "./present-hosts.ts";
import { useKeepFocus } from "./keep-focus.ts";

interface AppFrameProps {
  shown: ShownApp;
  /** Sends a message in the conversation; absent where a recording is shown, from which nothing is called. */
  send: ((text: string, toolName: string) => boolean) | undefined;
}

/** Pixels. What is higher scrolls in its frame. */
const lowest = 60;
const highest = 600;

/** A recording reaches nothing. */
const noHosts: AppHosts = { connect: [], resource: [] };

type Asked = Question & { answer(yes: boolean): void };

/** The interface of a tool with the result of a call, in a frame that can reach neither the studio nor any host that nobody accepted. */
export function AppFrame({ shown, send }: AppFrameProps) {
  const { app, html, toolName } = shown;
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(200);
  const [asked, setAsked] = useState<Asked>();
  const [state, setState] = useState<"open" | "silent" | "failed" | "closed">("open");
  useKeepFocus(frame);
  // A frame that grows or shrinks while a person decides could move another button under the pointer.
  const isDeciding = useApprovalStore(({ pending }) => pending.length > 0) || asked !== undefined;
  const size = useRef({ wanted: 200, isHeld: isDeciding });
  useEffect(() => {
    size.current.isHeld = isDeciding;
    if (!isDeciding) setHeight(size.current.wanted);
  }, [isDeciding]);
  const onHeight = useCallback((pixels: number) => {
    size.current.wanted = Math.min(highest, Math.max(lowest, Math.ceil(pixels)));
    if (!size.current.isHeld) setHeight(size.current.wanted);
  }, []);
  const hosts = useDocumentStore(({ document }) =>
    JSON.stringify(send ? presentHosts(app, document.nodes[shown.toolNodeId]?.config) : noHosts),
  );
  useOpenApp({ frame, hosts, shown, send, onHeight, onAsk: setAsked, onState: setState });

  return (
    <section aria-label={`Interface of ${toolName}`} className="flex min-w-0 flex-col border-t bg-surface">
      <p className="flex min-h-7 flex-wrap items-center gap-x-2 px-2 text-xs text-muted">
        <Icon name="app-window" size={14} />
        <span className="min-w-0 wrap-anywhere">{`Interface of ${toolName}, made by its server`}</span>
        {send === undefined && <span>· recorded</span>}
      </p>
      {app.refusedHosts.length > 0 && <RefusedHosts shown={shown} />}
      {state === "silent" && (
        <p className="px-2 pb-1 text-xs text-muted">
          The interface has not answered yet. If it stays empty, it cannot be shown here; the result is above.
        </p>
      )}
      {html === undefined || state === "closed" || state === "failed" ? (
        <p role="status" className="p-2 text-sm text-muted">
          {state === "closed"
            ? "The interface sent too many messages and was closed."
            : state === "failed"
              ? "The interface could not be loaded. Reload the page to try again."
              : "The interface is not part of this recording. The result is above."}
        </p>
      ) : (
        <iframe
          key={hosts}
          ref={frame}
          title={`Interface of ${toolName}`}
          src="/mcp-app.html"
          sandbox="allow-scripts allow-forms"
          referrerPolicy="no-referrer"
          className="block w-full border-t bg-white dark:bg-canvas"
          style={{ height }}
        />
      )}
      {asked && (
        <AppQuestion
          question={asked}
          height={height}
          onAnswer={(yes) => {
            asked.answer(yes);
            setAsked(undefined);
          }}
        />
      )}
    </section>
  );
}

function RefusedHosts({ shown: { app, toolNodeId } }: Pick<AppFrameProps, "shown">) {
  const { canvas, readOnly } = useEditor();
  const isThere = useDocumentStore(({ document }) => document.nodes[toolNodeId] !== undefined);
  return (
    <div className="flex flex-wrap items-center gap-2 bg-warning-soft px-2 py-1 text-xs">
      <p className="min-w-40 flex-1 wrap-anywhere">
        It asks for {app.refusedHosts.join(", ")}, which nobody has accepted.
      </p>
      {isThere && readOnly === undefined && (
        <Button size="sm" variant="ghost" onClick={() => showNode(canvas, toolNodeId)}>
          Open settings
        </Button>
      )}
    </div>
  );
}

interface OpenAppOptions extends AppFrameProps {
  frame: RefObject<HTMLIFrameElement | null>;
  /** What the document may reach, as JSON of `AppHosts`. */
  hosts: string;
  onHeight(pixels: number): void;
  onAsk(asked: Asked | undefined): void;
  onState(state: "open" | "silent" | "failed" | "closed"): void;
}

/** After this time without a word a person is told, in milliseconds: a site may forbid to be framed, which nobody says. */
const silenceMs = 10_000;

/** Hands the document to the page in the frame once that is loaded, and speaks with it until the frame goes. */
function useOpenApp({ frame, hosts, shown, send, onHeight, onAsk, onState }: OpenAppOptions): void {
  const editor = useEditor();
  const services = useServices();
  const theme: "light" | "dark" = useIsDark() ? "dark" : "light";
  const now = useRef({ shown, send, theme });
  const bridge = useRef<{ setTheme(theme: "light" | "dark"): void }>(null);
  useEffect(() => {
    now.current = { shown, send, theme };
  }, [shown, send, theme]);
  useEffect(() => {
    bridge.current?.setTheme(theme);
  }, [theme]);

  const { html } = shown;
  const isLive = send !== undefined;
  useEffect(() => {
    const element = frame.current;
    if (element === null || html === undefined) return undefined;
    const { port1, port2 } = new MessageChannel();
    let closing: (() => void) | undefined;
    let isGone = false;
    let open: Asked | undefined;

    const ask = (kind: Question["kind"], text: string | undefined) =>
      new Promise<boolean>((resolve) => {
        if (text === undefined || open !== undefined || isGone) return resolve(false);
        open = {
          kind,
          text,
          answer(yes) {
            open = undefined;
            resolve(yes);
          },
        };
        onAsk(open);
      });

    const start = async () => {
      const { openAppBridge, callFromApp } = await import("./open-app.ts");
      if (isGone) return;
      const { input, output, nodeId, toolNodeId, runId } = now.current.shown;
      const { uri, server } = now.current.shown.app;
      const opened = await openAppBridge(port1, {
        input,
        output,
        theme: now.current.theme,
        maxHeight: highest,
        onHeight,
        onReady() {
          clearTimeout(silence);
          onState("open");
        },
        onClosed() {
          clearTimeout(silence);
          onState("closed");
        },
        requests: isLive
          ? {
              call: (toolName, given, signal) =>
                callFromApp(
                  editor,
                  services,
                  { uri, server, nodeId, toolNodeId, toolName, input: given, ofRun: runId },
                  signal,
                ),
              async send(text) {
                const message = messageToSend(text);
                return (
                  (await ask("message", message)) &&
                  now.current.send?.(message ?? "", now.current.shown.toolName) === true
                );
              },
              async openLink(url) {
                const link = linkToOpen(url);
                if (!(await ask("link", link))) return false;
                window.open(link, "_blank", "noopener,noreferrer");
                return true;
              },
            }
          : undefined,
      });
      closing = opened.close;
      bridge.current = opened;
      if (isGone) return opened.close();
      // The page has an origin that nothing else has, and no name to address it by.
      element.contentWindow?.postMessage(sealedDocument(html, JSON.parse(hosts)), "*", [port2]);
    };
    const silence = setTimeout(() => onState("silent"), silenceMs);
    const onLoad = () =>
      void start().catch(() => {
        clearTimeout(silence);
        onState("failed");
      });
    element.addEventListener("load", onLoad, { once: true });
    return () => {
      isGone = true;
      clearTimeout(silence);
      element.removeEventListener("load", onLoad);
      if (open) {
        open.answer(false);
        onAsk(undefined);
      }
      closing?.();
      port1.close();
    };
    // The same document and hosts are the same frame, whatever else of the run is drawn anew.
  }, [frame, html, hosts, isLive, editor, services, onHeight, onAsk, onState]);
}
