import { z } from "zod/mini";
import { approvalPolicies } from "../../../engine/tool/tool.ts";
import { type ConfigOf, field } from "../../../engine/config/field.ts";
import type { NodeFamily } from "../../../engine/document/define-node.ts";
import { repeatIfHarmless, toolAfterCrash } from "../../flow/error-field.ts";
import { toolFields } from "../tool-fields.ts";
import { conditionOperators, whereSchema } from "./condition.ts";
import { affectedLimits, orderBySchema, rowLimits, statementTimeouts } from "./sql-request.ts";

export const postgresFamily: NodeFamily = {
  title: "Postgres",
  summary: "Lets the agent read and change rows of a database.",
  icon: "database",
};

/*
 * The settings of the Postgres tools. Fields are makers, since a zod type carries the hints of one field. What an author
 * leaves empty the model fills in; what they write is fixed, but for the parts that `ai(…)` marks.
 */

/** Which database, and as whom. */
export const databaseFields = (who = "agent") => ({
  credential: field(z._default(z.string().check(z.maxLength(200)), ""), {
    label: "Database",
    help: `The Postgres credential. The ${who} can do what its role may do, so give it few rights.`,
    control: "credential",
    credentialTypes: ["postgres"],
    required: true,
  }),
});

export const tableField = () =>
  field(z._default(z.string().check(z.maxLength(300)), ""), {
    label: "Table",
    help: "Such as orders or sales.orders. Empty: the model chooses.",
    template: "text",
    ai: true,
    placeholder: "orders",
  });

const whereText =
  'Which rows: conditions that must all hold, or SQL. Values may be {{json.id}} or {{ai("id", "which", "integer")}}; they are never run as SQL.';

export const whereField = (empty: string) =>
  field(
    z._default(
      z.union([z.string().check(z.maxLength(10_000)), whereSchema], {
        error: "Every condition needs a column, and a value that fits its operator.",
      }),
      [],
    ),
    {
      label: "Condition",
      help: `${whereText} ${empty}`,
      control: "conditions",
      options: conditionOperators,
      template: "sql",
      ai: true,
    },
  );

export const columnsField = () =>
  field(
    z._default(z.union([z.string(), z.array(z.union([z.string(), z.array(z.string())])).check(z.maxLength(200))]), [
      "*",
    ]),
    {
      label: "Columns",
      help: "Which columns to read, one per line. * is all of them; the model may then name fewer.",
      control: "string-list",
      template: "value",
      ai: true,
      placeholder: "*",
    },
  );

export const orderByField = () =>
  field(
    z._default(z.union([z.string().check(z.maxLength(2_000)), z.array(orderBySchema).check(z.maxLength(20))]), ""),
    {
      label: "Sort by",
      help: "Columns with asc or desc, such as created_at desc, id. Empty: the model may choose.",
      control: "text",
      template: "value",
      ai: true,
      placeholder: "created_at desc",
    },
  );

export const limitField = (untouched: number) =>
  field(z._default(z.int().check(z.minimum(1), z.maximum(rowLimits.hard)), untouched), {
    label: "Row limit",
    help: "The most rows to return. The model may ask for fewer.",
  });

export const offsetField = () =>
  field(z._default(z.int().check(z.minimum(0), z.maximum(rowLimits.offset)), 0), {
    label: "Offset",
    help: "How many rows to skip at the beginning. The model may skip more, to read page by page.",
  });

export const rowsField = () =>
  field(z._default(z.json(), []), {
    label: "Rows",
    help: "A list of objects with a value for each column. Columns left out take their default. Empty: the model gives the rows.",
    control: "json",
    template: "value",
    ai: true,
    placeholder: '[{ "name": "{{ai("name", "of the customer", "string")}}" }]',
  });

export const valuesField = () =>
  field(z._default(z.record(z.string(), z.json()), {}), {
    label: "New values",
    help: "The column and its new value. Empty: the model gives them.",
    control: "key-values",
    template: "value",
    ai: true,
  });

/** What bounds a statement that writes; `otherwise` says what comes back where no columns are named. */
export const writeFields = (otherwise = "") => ({
  returning: field(z._default(z.array(z.string().check(z.minLength(1), z.maxLength(63))).check(z.maxLength(200)), []), {
    label: "Return",
    help: `Columns of the changed rows that the model reads, one per line; * for all. The role must be allowed to read them.${otherwise}`,
    control: "string-list",
    placeholder: "id",
  }),
  maxAffectedRows: field(
    z._default(z.int().check(z.minimum(1), z.maximum(affectedLimits.hard)), affectedLimits.default),
    {
      label: "Most rows to change",
      help: "A statement that would change more rows is undone.",
    },
  ),
  dryRun: field(z._default(z.boolean(), false), {
    label: "Dry run",
    help: "Shows the rows before and after, and undoes the change. Nothing is ever changed.",
  }),
  afterCrash: toolAfterCrash(repeatIfHarmless),
});

export const writeApprovalField = () =>
  field(z._default(z.enum(approvalPolicies), "ask"), {
    label: "Approval",
    help: "Ask: you see the rows before and after, and agree to every call. Once: to the first call of a run. Ask after untrusted: once texts from outside are in the conversation.",
    section: "Limits",
  });

/** A whole statement of the author's or the model's own. */
export const statementFields = () => ({
  statement: field(z._default(z.union([z.string().check(z.maxLength(100_000)), fragment]), ""), {
    label: "Statement",
    help: 'One SQL statement. Insert values as {{json.id}} or {{ai("id", "which", "integer")}} without quotes, or as $1 with parameters. Empty: the model writes it.',
    control: "textarea",
    template: "sql",
    ai: true,
    placeholder: "select count(*) from orders where status = $1",
  }),
  parameters: field(z._default(z.array(z.json()).check(z.maxLength(1_000)), []), {
    label: "Parameters",
    help: "A list of values for $1, $2 and so on, in order.",
    control: "json",
    template: "value",
    ai: true,
    placeholder: '["{{ai("status", "of the orders", "string")}}"]',
  }),
  readOnly: field(z._default(z.boolean(), true), {
    label: "Read only",
    help: "On: SELECT only, in a read-only transaction. Off: also one INSERT, UPDATE, DELETE or MERGE.",
  }),
});

const fragment = z.object({ sql: z.string().check(z.maxLength(100_000)), parameters: z.array(z.json()) });

/** How long the database may work, and as whom. */
export function statementLimitFields() {
  return {
    statementTimeoutMs: field(
      z._default(
        z.int().check(z.minimum(statementTimeouts.min), z.maximum(statementTimeouts.max)),
        statementTimeouts.default,
      ),
      {
        label: "Statement time limit (ms)",
        help: "The database stops a statement that takes longer.",
        section: "Limits",
      },
    ),
    role: field(
      z._default(
        z.string().check(z.maxLength(63), z.regex(/^[^\p{Cc}]*$/u, "Control characters are not allowed.")),
        "",
      ),
      {
        label: "Role",
        help: "A database role with fewer rights to work as. The credential's role has to be a member of it. Empty: the credential's own.",
        section: "Limits",
        placeholder: "agent_reader",
      },
    ),
  };
}

/** Name, description, limits and role of a Postgres tool. */
export function sqlToolFields(defaults: { toolName: string; toolDescription: string }) {
  return { ...toolFields({ ...defaults, approval: "never" }), ...statementLimitFields() };
}

/** What a Postgres tool has of settings besides its own, once parsed. Times in milliseconds. */
export type SqlToolConfig = Omit<
  ConfigOf<ReturnType<typeof databaseFields> & ReturnType<typeof sqlToolFields>>,
  "approval"
>;
