import { z } from "zod/mini";
import type { AppHosts } from "../../../engine/tool/tool-app.ts";

const list = z.catch(z._default(z.array(z.string()).check(z.maxLength(100)), []), []);

const ui = z.looseObject({
  csp: z.catch(z.looseObject({ connectDomains: list, resourceDomains: list }), {
    connectDomains: [],
    resourceDomains: [],
  }),
});

/**
 * A host with its scheme, and at most one star for all its subdomains. These texts become part of a content security policy, so
 * nothing else may stand in them; a star alone, or before a top-level domain, would accept every host.
 */
const host =
  /^(?:(?:https|wss):\/\/(?:\*\.(?=[^/:]+\.))?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+|(?:http|ws):\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?$/;

/** What an interface's `_meta.ui.csp` asks for, sorted; `unusable` is what names no host. */
export function appHosts(value: unknown): { asked: AppHosts; unusable: readonly string[] } {
  const { connectDomains, resourceDomains } = ui.safeParse(value).data?.csp ?? {
    connectDomains: [],
    resourceDomains: [],
  };
  const plain = (text: string) => text.trim().toLowerCase().replace(/\/$/, "");
  const usable = (texts: readonly string[]) =>
    [...new Set(texts.map(plain).filter((text) => host.test(text)))].toSorted();
  const unusable = [...connectDomains, ...resourceDomains].filter((text) => !host.test(plain(text)));
  return {
    asked: { connect: usable(connectDomains), resource: usable(resourceDomains) },
    unusable: [...new Set(unusable)].map((text) => text.slice(0, 200)),
  };
}

/** All hosts as one text, by which a person's acceptance is kept: another list is another text. */
export function hostsText({ connect, resource }: AppHosts): string {
  return [...connect.map((origin) => `connect ${origin}`), ...resource.map((origin) => `load ${origin}`)].join("\n");
}

const none: AppHosts = { connect: [], resource: [] };

/** What a document may reach: all that it asks for, if that is just what was accepted, and nothing otherwise. */
export function grantedHosts(
  asked: AppHosts,
  accepted: string | undefined,
): { hosts: AppHosts; refusedHosts: string[] } {
  const text = hostsText(asked);
  if (text === "" || text === accepted) return { hosts: asked, refusedHosts: [] };
  return { hosts: none, refusedHosts: [...new Set([...asked.connect, ...asked.resource])] };
}
