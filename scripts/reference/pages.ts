import { connectorsPage } from "./connectors-page.ts";
import { credentialsPage } from "./credentials-page.ts";
import { errorsPage } from "./errors-page.ts";
import { expressionsPage } from "./expressions-page.ts";
import { nodesPage } from "./nodes-page.ts";
import { templatesPage } from "./templates-page.ts";

const pages = {
  "nodes.md": nodesPage,
  "expressions.md": expressionsPage,
  "errors.md": errorsPage,
  "credentials.md": credentialsPage,
  "connectors.md": connectorsPage,
  "templates.md": templatesPage,
} as const;

const note = "<!-- Made by `npm run docs` from the definitions in the code. Change those, not this page. -->";

/** Where the pages are, from the root of the repository. */
export const referenceFolder = "docs/reference";

/** Every page of the reference: the name of its file, and its text. */
export function referencePages(): { file: string; text: string }[] {
  return Object.entries(pages).map(([file, page]) => ({ file, text: `${note}\n\n${page()}\n` }));
}
