import type { RightPassage } from "../../src/evaluation/retrieval/right-passage.ts";

/** A question about this project's documentation, with the words that answer it. */
export interface GuideQuestion {
  text: string;
  right: RightPassage;
}

const question = (text: string, document: string, quote: string): GuideQuestion => ({
  text,
  right: { document, quote },
});

export const guideQuestions: readonly GuideQuestion[] = [
  question("How do I make a link for somebody to join my studio?", "deploy.md", "prints a link for one person that"),
  question(
    "What happens after too many wrong passwords?",
    "deploy.md",
    "an address waits half a minute before its next try",
  ),
  question(
    "How can a guest keep their work as an account?",
    "deploy.md",
    "until Settings turns the guest into an account",
  ),
  question("somebody forgot the password", "deploy.md", "prints a link that works once, within an hour"),
  question("How do I run more workers with Docker?", "deploy.md", "docker compose up --scale worker=4 --detach"),
  question(
    "How long may an edge function run on the free plan?",
    "deploy.md",
    "A function runs for 150 seconds on the free plan",
  ),
  question(
    "rotate the encryption key of credentials",
    "deploy.md",
    "add version 2 to `CREDENTIALS_KEYS`, keep version 1",
  ),
  question(
    "Can the studio be put on the open internet?",
    "deploy.md",
    "is for one machine or a network of people you trust",
  ),
  question("Does a backup hold my keys?", "backup.md", "there is no `keys.json` in it"),
  question(
    "Must I stop the studio to back it up?",
    "backup.md",
    "Nobody waits while the embedded database is backed up",
  ),
  question(
    "What is paused when a backup was restored?",
    "backup.md",
    "published workflows, schedules, notices and traces are paused",
  ),
  question(
    "Which programs must be installed to back up a PostgreSQL server?",
    "backup.md",
    "which calls `pg_dump` and, to restore, `pg_restore`",
  ),
  question("Where are API keys made?", "publish.md", "makes keys with rights, limits and spending caps of their own"),
  question("How long does an approval wait in the inbox?", "publish.md", "for up to seven days"),
  question("Can I put the chat on my own website?", "publish.md", "shows it in the corner of the sites that you list"),
  question(
    "How many files can a visitor attach to a message?",
    "publish.md",
    "attach up to eight files of 16 MB to a message",
  ),
  question("start a published workflow every morning on weekdays", "publish.md", "by the clock of its time zone"),
  question("How do I go back to an earlier published version?", "publish.md", "one click rolls back"),
  question(
    "Which signatures of webhooks are checked?",
    "publish.md",
    "or the signatures of GitHub, Slack, Stripe, Telegram, Discord or WhatsApp",
  ),
  question("use Ollama on the same computer", "guide/models.md", "it asks `127.0.0.1:11434` and `127.0.0.1:1234`"),
  question("How are my keys stored?", "guide/models.md", "stored encrypted (AES-256-GCM) where the API cannot read it"),
  question("My model has no price in the list", "guide/models.md", "enter its price"),
  question(
    "Can I undo a change of last week in a workflow?",
    "guide/library.md",
    "the state of every ten minutes of editing is kept by itself",
  ),
  question(
    "How long does a link to a shared run work?",
    "guide/library.md",
    "an address that works without an account for 30 days",
  ),
  question(
    "Can encrypted conversations be searched?",
    "guide/library.md",
    "text of encrypted conversations cannot be searched",
  ),
  question(
    "Does the text recognition send my scans anywhere?",
    "guide/documents.md",
    "The collection's page reads scans in the browser",
  ),
  question(
    "How large may a picture be for text recognition?",
    "guide/documents.md",
    "A picture may have 40 million pixels",
  ),
  question("How many metadata fields can a document have?", "guide/documents.md", "A document has at most 32 fields"),
  question("How often does a crawl ask a host?", "guide/documents.md", "a host is asked once a second"),
  question(
    "When do pages that are gone leave the collection?",
    "guide/documents.md",
    "leave after three reloads in a row that did not find them",
  ),
  question("What does mean reciprocal rank say?", "guide/documents.md", "1 where the first passage is right"),
  question("Can a deleted document be brought back?", "guide/documents.md", "It can be restored for an hour"),
  question("curl command to send a PDF to a workflow", "guide/files.md", "Files go in the field `files`"),
  question(
    "How big can a file be that I send?",
    "guide/files.md",
    "A file has up to 100 MB and is stored while it comes",
  ),
  question(
    "Does a workflow get a file when JSON holds its id?",
    "guide/files.md",
    "only files that come as bytes are files of the run",
  ),
  question("What does exit code 0 mean?", "guide/command-line.md", "Exit code 0 means that the run completed"),
  question("permissions of the file with credentials", "guide/command-line.md", "must be readable by you alone"),
  question(
    "Does an update need a condition in Postgres tools?",
    "guide/database.md",
    "updates and deletes need a condition",
  ),
  question("What if the moderation model does not answer?", "guardrails.md", "Checks by a model fail closed"),
  question("Are images checked by guardrails?", "guardrails.md", "Pictures are not checked"),
  question(
    "What is a passing trial without an assertion?",
    "evaluate.md",
    "A trial that nothing checks is unchecked, never passed",
  ),
  question("Does a failing test stop publishing?", "evaluate.md", "By default a failure warns"),
  question(
    "repeat each model decision of a recorded run",
    "evaluate.md",
    "makes each of its model calls again, 3 to 20 times",
  ),
  question(
    "How many calls a minute may an API key make?",
    "doors.md",
    "may make 600 calls a minute unless they say otherwise",
  ),
  question(
    "What happens when the same webhook is delivered twice?",
    "doors.md",
    "A delivery that comes again starts nothing",
  ),
  question("Can I stream a run's events?", "doors.md", "server-sent events until it has ended"),
  question(
    "Does the API speak OpenAI's format for chat completions?",
    "doors.md",
    "with streaming, pictures and files (PDF, WAV, MP3)",
  ),
  question(
    "use a local MCP server that is started as a program",
    "mcp.md",
    "A server that speaks stdio only is started by you",
  ),
  question(
    "How many processes can the MCP bridge have?",
    "mcp.md",
    "Each session has a process of its own, at most 16",
  ),
  question("Can the assistant read my credentials?", "assistant.md", "It never sees or chooses credentials"),
  question("What does a request to the assistant cost at most?", "assistant.md", "budget (0.50 US dollars a request"),
  question(
    "When may an assistant's proposal for a prompt be accepted?",
    "assistant.md",
    "A proposal can be accepted only as a whole",
  ),
];
