import { extname } from "node:path";
import { chatPageSlug, isSharePage } from "./chat-site.ts";
import { bufferedAnswer } from "./send-answer.ts";
import { answerWith, type SiteFile, type SiteFiles } from "./site-files.ts";

/** Answers GET and HEAD for the built site. */
type Site = (request: Request) => Promise<Response>;

const notFound = () => new Response("Not found.\n", { status: 404, headers: { "content-type": "text/plain" } });

/**
 * Serves the built site: files under assets/, chat-page/ and share-page/ carry a hash in their name and are kept by the browser for good, the rest is
 * checked by ETag each time. A path without a file of its own gets index.html, where the site's router takes over, chat.html or share.html.
 */
export function createSite(files: SiteFiles): Site {
  return async (request) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      return new Response("Method not allowed.\n", { status: 405, headers: { allow: "GET, HEAD" } });
    }
    const path = decodedPath(request.url);
    if (path === null) return notFound();
    const own = path === "/" ? null : await files.load(path);
    if (!own && extname(path) !== "") return notFound();
    const file = own ?? (await files.load(pageOf(path)));
    return file ? respond(request, file) : notBuilt();
  };
}

function pageOf(path: string): string {
  if (isSharePage(path)) return "/share.html";
  return chatPageSlug(path) === null ? "/index.html" : "/chat.html";
}

async function respond(request: Request, file: SiteFile): Promise<Response> {
  const { status, headers, body } = await answerWith(file, {
    acceptEncoding: request.headers.get("accept-encoding"),
    ifNoneMatch: request.headers.get("if-none-match"),
  });
  if (body === null || request.method === "HEAD") return new Response(null, { status, headers });
  return bufferedAnswer(body, { status, headers });
}

/** The path of a file that may be served, or null: no hidden files, no way out of the directory. */
function decodedPath(url: string): string | null {
  try {
    const path = decodeURIComponent(new URL(url).pathname);
    return /[\0\\]|\/\./.test(path) ? null : path;
  } catch {
    return null;
  }
}

function notBuilt(): Response {
  return new Response("The site has not been built. Run `npm start`, or `npm run build`, in the project directory.\n", {
    status: 503,
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}
