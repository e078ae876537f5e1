import "./chat-page.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createChatClient } from "./chat-client.ts";
import { ChatPage, PlainPage } from "./chat-page.tsx";
import { createChatSession } from "./chat-session.ts";
import { pageSurroundings } from "./page-surroundings.ts";
import { talkToParent } from "./talk-to-parent.ts";

const container = document.getElementById("root");
if (container === null) throw new Error("The page has no #root element.");
const root = createRoot(container);

const [, slug] = /^\/c\/([a-z0-9-]{1,60})\/?$/.exec(location.pathname) ?? [];

// Only a page with an origin of its own cannot reach what the studio keeps in the browser.
if (window.origin !== "null") {
  root.render(
    <PlainPage title="This chat page is not protected">
      Its host must send the headers that were built with the site: without them the page could reach what the studio
      keeps in this browser.
    </PlainPage>,
  );
} else if (slug === undefined) {
  root.render(<PlainPage title="There is no chat here">Check the address.</PlainPage>);
} else {
  const backend = import.meta.env.VITE_SUPABASE_URL;
  const base = backend
    ? `${new URL(backend).origin}/functions/v1/doors/c-api/${slug}`
    : `${location.origin}/c-api/${slug}`;
  const session = createChatSession((token) => createChatClient(base, token), pageSurroundings(window));
  root.render(
    <StrictMode>
      <ChatPage session={session} />
    </StrictMode>,
  );
  talkToParent(window, session);
  void session.start();
}
