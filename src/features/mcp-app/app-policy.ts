import closeWaysOut from "./close-ways-out.js?raw";
import type { AppHosts } from "../../engine/tool/tool-app.ts";

/** The content security policy of an interface that may reach these hosts (MCP Apps, "Host Behavior"). */
export function appPolicy({ connect, resource }: AppHosts): string {
  const load = resource.join(" ");
  const directives: Record<string, string> = {
    "default-src": "'none'",
    "script-src": `'unsafe-inline' 'unsafe-eval' blob: data: ${load}`,
    "style-src": `'unsafe-inline' ${load}`,
    "img-src": `data: blob: ${load}`,
    "font-src": `data: ${load}`,
    "media-src": `data: blob: ${load}`,
    "connect-src": connect.length === 0 ? "'none'" : connect.join(" "),
    "worker-src": "blob:",
    "frame-src": "'none'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
    webrtc: "'block'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "default",
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.trim()}`)
    .join("; ");
}

/** Frames that stand in the document itself are none. */
const withoutFrames = (html: string) => html.replace(/<(?=iframe)/gi, "<x-");

/**
 * The document with its policy before everything else in it. A parser that has seen the beginning takes a second `<!doctype>`,
 * `<html>` or `<head>` as part of what is open, so the document stays what it is.
 */
export function sealedDocument(html: string, hosts: AppHosts): string {
  const policy = `<meta http-equiv="Content-Security-Policy" content="${appPolicy(hosts)}">`;
  const quiet = '<meta http-equiv="x-dns-prefetch-control" content="off"><meta name="referrer" content="no-referrer">';
  const close = `<script>${closeWaysOut}</script>`;
  return `<!doctype html>${policy}${quiet}${close}${withoutFrames(html)}`;
}
