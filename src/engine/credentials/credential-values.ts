import { z } from "zod/mini";

/**
 * The values that credential fields hold, as makers: a zod type carries the hints of one field, so every field takes its
 * own. Lengths are in characters.
 */

const maxSecret = 4_096;

/** Text without line breaks or other control characters, which could end a header and start another. */
export const singleLine = (max: number) =>
  z
    .string()
    .check(
      z.maxLength(max),
      z.regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, "Line breaks and control characters are not allowed."),
    );

/** A secret of at least one character. */
export const secret = () => singleLine(maxSecret).check(z.minLength(1, "This field is required."));

/** A secret that travels in a header. */
export const headerSecret = () =>
  secret().check(z.regex(/^[\x20-\x7e\xa0-\xff]*$/, "Only letters that a header can carry are allowed."));

/** An http or https address without user name, password or fragment. */
export const webAddress = () =>
  singleLine(2_048).check(z.refine(isWebAddress, "Write a full address without user name, such as https://host/v1."));

/** The name of an HTTP header: a token of RFC 9110 §5.6.2, at most 128 characters. */
export const headerName = () =>
  z.string().check(z.regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/, "Use letters, digits and -."));

/** A host name or an address literal, without a port. */
export const hostName = () =>
  singleLine(253).check(z.regex(/^(\[[0-9a-fA-F:.]+\]|[^\s/:?#@]+)$/, "Write a host name or address, without a port."));

/** A port number from 1 to 65,535; digits as text are taken too. */
export const port = () => z.coerce.number().check(z.int(), z.minimum(1), z.maximum(65_535));

/** A Postgres connection string with a host; blanks around it, as they come with a paste, are left out. */
export const postgresAddress = () =>
  z.pipe(z.string().check(z.trim()), secret().check(z.refine(isPostgresAddress, { error: postgresProblem })));

const blankToMissing = z.transform((value: unknown): unknown => (value === "" || value === null ? undefined : value));

/** An empty form field means that nothing was entered. */
export const blankAsMissing = <Schema extends z.ZodMiniType>(
  schema: Schema,
): z.ZodMiniPipe<z.ZodMiniTransform, z.ZodMiniOptional<Schema>> => z.pipe(blankToMissing, z.optional(schema));

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" && url.hash === "";
}

const postgresScheme = /^postgres(ql)?:\/\//;

function isPostgresAddress(text: string): boolean {
  return postgresScheme.test(text) && URL.canParse(text) && new URL(text).hostname !== "" && !hasOpenPassword(text);
}

/** Whether a password holds a character that ends the host in an address, so that the host would stand behind it. */
function hasOpenPassword(text: string): boolean {
  const [authority = "", ...rest] = text.replace(postgresScheme, "").split(/[#/?]/);
  return authority.includes(":") && !authority.includes("@") && rest.some((part) => part.includes("@"));
}

function postgresProblem({ input }: { input?: unknown }): string {
  return typeof input === "string" && postgresScheme.test(input) && hasOpenPassword(input)
    ? "Percent-encode special characters of the password: # as %23, / as %2F, ? as %3F."
    : "Write it as postgresql://user:password@host:5432/database.";
}
