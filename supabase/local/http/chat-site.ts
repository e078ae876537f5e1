import { z } from "zod/mini";
import { chatDoorConfig, framingSites } from "../../../src/doors/chat-door.ts";
import { currentSender } from "./current-sender.ts";
import type { OpenDoors } from "./open-doors.ts";
import { appPageHeaders, appPagePath, chatFileHeaders, chatPageHeaders, sharePageHeaders } from "./security-headers.ts";
import type { CallAsService } from "../functions/service-calls.ts";

/** The path of a publication's chat page. */
const chatPagePath = /^\/c\/([a-z0-9-]{1,60})\/?$/;

/** The slug whose chat page a path is; null for every other path. */
export function chatPageSlug(pathname: string): string | null {
  return chatPagePath.exec(pathname)?.[1] ?? null;
}

/** Whether a path is the page of a shared run. */
export function isSharePage(pathname: string): boolean {
  return /^\/s\/[0-9a-f]{32}\/?$/.test(pathname);
}

/**
 * Files that belong to other sites' pages as well, or to pages for strangers, which have an origin of their own: they hold nothing
 * but the site's own code.
 */
export function isStrangersFile(pathname: string): boolean {
  return /^\/(?:chat-page|share-page)\/[A-Za-z0-9._-]+$/.test(pathname) || pathname === "/widget.js";
}

/** Whether a path is answered with a page for strangers, a file of its own, or the page into which a shared run is saved. */
export function isForStrangers(pathname: string): boolean {
  const isPage = chatPageSlug(pathname) !== null || isSharePage(pathname) || pathname === "/share-file.html";
  return isPage || isStrangersFile(pathname);
}

/** The headers of a path, where they are not those of the studio; null where they are. */
export type ChatHeaders = (pathname: string) => Promise<Record<string, string> | null>;

const door = z.nullable(z.object({ enabled: z.nullable(z.boolean()), config: z.unknown() }));

/**
 * Framing is for the sites that the owner has listed; while the database cannot say which, it is for none. It is not asked about
 * pages that there are not.
 */
export function createChatHeaders(callAsService: CallAsService, doors: Pick<OpenDoors, "hasDoor">): ChatHeaders {
  async function sitesOf(slug: string): Promise<readonly string[]> {
    try {
      if (!(await doors.hasDoor("chat", slug))) return [];
      const asked = { p_publication: slug, p_kind: "chat" };
      const found = door.parse(
        await currentSender.run({ name: `door ${slug}` }, () => callAsService("studio_read_door", asked)),
      );
      const config = chatDoorConfig.safeParse(found?.config);
      return found?.enabled === true && config.success ? framingSites(config.data) : [];
    } catch {
      return [];
    }
  }
  return async (pathname) => {
    if (isStrangersFile(pathname)) return chatFileHeaders;
    if (pathname === appPagePath) return appPageHeaders;
    if (isSharePage(pathname) || pathname === "/share.html") return sharePageHeaders(null);
    const slug = chatPageSlug(pathname);
    if (slug !== null) return chatPageHeaders(null, await sitesOf(slug));
    // Nobody needs the bare file; where it is asked for, it is as harmless.
    return pathname === "/chat.html" ? chatPageHeaders(null, []) : null;
  };
}
