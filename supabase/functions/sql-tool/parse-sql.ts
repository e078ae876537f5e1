import { Buffer } from "node:buffer";
import type { ParseResult } from "libpg-query";
import { Rejection } from "./rejection.ts";
import { isSyntaxNode, type SyntaxNode } from "./syntax-node.ts";

/** More words and marks than this could take the parser, and what reads its tree, to the end of the stack. */
const maxTokens = 5_000;
const maxBrackets = 200;

/** One statement: its tree, and its text without what stands around it. Places in the tree are bytes of the whole text. */
export interface ParsedStatement {
  tree: SyntaxNode;
  text: string;
}

/**
 * Thrown when the parser itself does not run, which is no fault of the text. Nothing was checked, so nothing may be sent.
 */
export class ParserError extends Error {
  override name = "ParserError";
}

/**
 * Parses SQL with Postgres's own grammar into its statements. Throws a Rejection with the place where the text stops being
 * SQL; the parser's own message is left out, as it repeats the text. Throws a ParserError when the parser does not run.
 */
export async function parseSql(sql: string, offset = 0): Promise<ParsedStatement[]> {
  if (sql.includes("\0")) throw new Rejection("The SQL contains a zero character.", "Remove it.", "syntax_error");
  requireSize(sql);
  if (sql.trim() === "") return [];
  const statements = (await parsed(sql, offset)).stmts ?? [];
  return statements.map(({ stmt, stmt_location: start = 0, stmt_len: length }: Parsed) => {
    if (!isSyntaxNode(stmt)) throw new Rejection("The SQL is empty.", "Write one statement.", "syntax_error");
    // A length is given only where something follows, such as a semicolon.
    const bytes = Buffer.from(sql, "utf8").subarray(start, length === undefined ? undefined : start + length);
    return { tree: stmt, text: bytes.toString("utf8") };
  });
}

interface Parsed {
  stmt?: unknown;
  stmt_location?: number;
  stmt_len?: number;
}

async function parsed(sql: string, offset: number): Promise<ParseResult> {
  try {
    // A megabyte of WebAssembly, which only SQL that somebody wrote needs.
    const { parse } = await import("libpg-query");
    return await parse(sql);
  } catch (error) {
    // Only of what it has read does the parser say where it went wrong.
    if (!(error instanceof Error) || !("sqlDetails" in error)) {
      throw new ParserError("The parser of SQL did not run.", { cause: error });
    }
    const position = positionOf(error);
    const where = position === undefined ? "" : ` at character ${Math.max(1, position + 1 - offset)}`;
    throw new Rejection(
      `The SQL has a syntax error${where}.`,
      "Correct the SQL; quotes and brackets must be closed.",
      "syntax_error",
    );
  }
}

function positionOf(error: unknown): number | undefined {
  const details: unknown = error instanceof Error && "sqlDetails" in error ? error.sqlDetails : undefined;
  const isObject = typeof details === "object" && details !== null;
  return isObject && "cursorPosition" in details && typeof details.cursorPosition === "number"
    ? details.cursorPosition
    : undefined;
}

function requireSize(sql: string): void {
  let tokens = 0;
  let open = 0;
  let deepest = 0;
  for (const [token] of sql.matchAll(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu)) {
    tokens += 1;
    if (token === "(" || token === "[") deepest = Math.max(deepest, (open += 1));
    else if ((token === ")" || token === "]") && open > 0) open -= 1;
  }
  if (tokens <= maxTokens && deepest <= maxBrackets) return;
  throw new Rejection("The SQL is too long or nested too deeply.", "Write less of it, and pass values as parameters.");
}
