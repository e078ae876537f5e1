import { renderToStaticMarkup } from "react-dom/server";
import { SignInShell } from "./sign-in-shell.tsx";

/** The markup that the build puts into the page. */
export const markup = renderToStaticMarkup(<SignInShell />);
