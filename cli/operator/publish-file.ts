import { randomUUID } from "node:crypto";
import { z } from "zod/mini";
import { describeFields } from "../../src/engine/config/describe-fields.ts";
import { definitionOf } from "../../src/engine/document/can-connect.ts";
import { triggersOf } from "../../src/engine/document/triggers.ts";
import { readDocument } from "../../src/engine/document/read-document.ts";
import type { WorkflowDocument } from "../../src/engine/document/workflow-document.ts";
import { isJsonObject } from "../../src/engine/json.ts";
import { type Bundle, bundleWorkflow, type PublishedSchedule } from "../../src/engine/publish/bundle.ts";
import { slugProblem, suggestSlug } from "../../src/engine/publish/slug.ts";
import { createApiKeys } from "../../src/state/publication/storage/api-keys.ts";
import { createEvaluationRepository } from "../../src/state/evaluation/storage/evaluation-repository.ts";
import { createPublicationRepository } from "../../src/state/publication/storage/publication-repository.ts";
import { createWorkflowRepository } from "../../src/state/document/storage/workflow-repository.ts";
import { nodeRegistry } from "../../src/nodes/index.ts";
import { scheduleProblem } from "../../src/engine/publish/cron.ts";
import { sha256 } from "../../src/state/shared/sha256.ts";
import { type PublishCheck, readPublishChecks } from "../../src/state/evaluation/publish-checks.ts";
import { type PublishResult, ServiceError, type WorkflowRepository } from "../../src/services/services.ts";
import { isUnderMoneyLimit } from "../../src/state/publication/uncounted-models.ts";
import { createWorkflowLoader } from "../../src/state/document/workflow-loader.ts";
import { CommandFailure } from "../headless/command-failure.ts";
import { printNotes } from "../headless/print.ts";
import { readJsonFile } from "../headless/read-file.ts";
import type { Account, OpenStudio } from "./open-studio.ts";
import type { PublishArguments } from "./publish-arguments.ts";

/** What the command prints. */
export interface PublishedFile extends PublishResult {
  workflowId: string;
  target: PublishArguments["target"];
  /** The workflow in the studio. */
  url: string;
  /** Suites that did not pass, or have not been run, and do not block publishing. */
  warnings?: string[];
}

/** Brings a workflow file into an account of a running studio and publishes it. Throws CommandFailure. */
export async function publishFile(studio: OpenStudio, options: Omit<PublishArguments, "data">): Promise<PublishedFile> {
  const read = readDocument(await readJsonFile(options.file, "workflow file"), nodeRegistry, randomUUID);
  if (!read.ok) throw new CommandFailure("The workflow file cannot be used.", read.problems.join("\n  "));
  await printNotes(read.notes);
  const slug = options.slug ?? suggestSlug(read.document.name);
  const badSlug = slugProblem(slug);
  if (badSlug !== undefined) throw new CommandFailure(`"${slug}" is not a valid address.`, badSlug, 2);
  const badSchedule = options.schedule && scheduleProblem({ ...options.schedule, missed: "skip" });
  if (badSchedule !== undefined) throw new CommandFailure("The schedule cannot be used.", badSchedule, 2);

  const account = await accountFor(studio, slug, options.account);
  const database = studio.actingAs(account.id);
  const workflows = createWorkflowRepository({ database });
  const publications = createPublicationRepository({ database });
  try {
    const id = await idFor(studio, read.document.id, slug, account.id, workflows);
    const document = { ...read.document, id };
    const loader = createWorkflowLoader(workflows);
    const limitsMoney = await isUnderMoneyLimit(id, { publications, apiKeys: createApiKeys({ database }) });
    const made = await bundleWorkflow(document, { registry: nodeRegistry, workflows: loader, limitsMoney, sha256 });
    if (!made.ok) {
      const lines = made.problems.map(({ workflow, message }) => `${workflow.name}: ${message}`);
      throw new CommandFailure("The workflow has errors, so it was not published.", lines.join("\n  "));
    }
    const bundle = await scheduled(made.bundle, options.schedule);
    await checkCredentials(database, [bundle.document, ...Object.values(bundle.workflows)]);
    const revision = await store(workflows, document);
    const { note, target } = options;
    const live = (await publications.find(id))?.live ?? null;
    const evaluations = createEvaluationRepository({ database });
    const checks = options.skipTests
      ? []
      : await readPublishChecks({ evaluations, workflows, publications }, bundle, live);
    const warnings = warningsOf(checks, studio.siteUrl);
    const published = await publications.publish({ bundle, slug, note, revision, target });
    const url = `${studio.siteUrl}/w/${id}`;
    return { workflowId: id, target, ...published, url, ...(warnings.length > 0 ? { warnings } : {}) };
  } catch (error) {
    if (error instanceof ServiceError) throw new CommandFailure(error.message, error.hint);
    throw error;
  }
}

/** What is to be said of suites that did not pass. Throws CommandFailure where one of them blocks publishing. */
function warningsOf(checks: readonly PublishCheck[], siteUrl: string): string[] {
  const open = checks.filter(({ result }) => result?.status !== "passed");
  const told = open.map(({ version: { stored }, result }) => {
    const how = !result
      ? "has not been run on this version"
      : result.status === "unchecked"
        ? "checks nothing in some of its cases"
        : "did not pass on this version";
    return `The suite “${stored.name}” ${how}: ${siteUrl}/tests/${stored.id}`;
  });
  const blocking = told.filter((_line, index) => open[index]?.blocks);
  if (blocking.length > 0) {
    throw new CommandFailure(
      "The workflow is stored but not published, because its tests come first.",
      `Run them in the studio and publish again, or publish with --skip-tests:\n  ${blocking.join("\n  ")}`,
    );
  }
  return told;
}

/** Whose the workflow becomes: the account that was named, or that has the address, or the only one that there is. */
async function accountFor(studio: OpenStudio, slug: string, named: string | undefined): Promise<Account> {
  const accounts = await studio.accounts();
  if (named !== undefined) {
    const found = accounts.find(({ id, email }) => id === named || email === named);
    if (found) return found;
    throw new CommandFailure(`The studio has no account ${named}.`, "Use the address it signed up with, or its id.");
  }
  const owner = await studio.ownerOf(slug);
  const ofSlug = accounts.find(({ id }) => id === owner);
  if (ofSlug) return ofSlug;
  const people = accounts.filter(({ guest }) => !guest);
  const candidates = people.length > 0 ? people : accounts;
  const [only, ...others] = candidates;
  if (only === undefined) {
    throw new CommandFailure("The studio has no account yet.", `Open ${studio.siteUrl} and enter first.`);
  }
  if (others.length === 0) return only;
  const names = candidates.map(({ id, email, guest }) => (guest ? id : (email ?? id)));
  throw new CommandFailure(
    "The studio has several accounts.",
    `Say which account owns the workflow with --account and one of: ${names.slice(0, 20).join(", ")}`,
  );
}

const uuid = z.uuid();

/** The workflow that the file is: the one of its id, or else the one of the address, or else a new one. */
async function idFor(
  studio: OpenStudio,
  ofFile: string,
  slug: string,
  owner: string,
  workflows: WorkflowRepository,
): Promise<string> {
  const isId = uuid.safeParse(ofFile).success;
  if (isId && (await workflows.find(ofFile))) return ofFile;
  const { data } = await studio.service
    .from("studio_publications")
    .select("workflow_id")
    .eq("slug", slug)
    .eq("owner", owner);
  const [known] = z.array(z.object({ workflow_id: z.string() })).parse(data ?? []);
  return known?.workflow_id ?? (isId ? ofFile : randomUUID());
}

/** Stores the file's workflow, and gives its revision. */
async function store(workflows: WorkflowRepository, document: WorkflowDocument): Promise<number> {
  const known = await workflows.find(document.id);
  if (known === undefined) return (await workflows.create(document)).revision;
  const saved = await workflows.save(document, known.revision);
  if (saved.ok) return saved.revision;
  throw new CommandFailure("The workflow was changed in the studio at this moment.", "Try again.");
}

/** The bundle with the schedule of the command in the place of those of its trigger nodes. */
async function scheduled(bundle: Bundle, schedule: PublishArguments["schedule"]): Promise<Bundle> {
  if (schedule === undefined) return bundle;
  const [timed] = triggersOf(bundle.document, nodeRegistry, "schedule");
  const [manual] = triggersOf(bundle.document, nodeRegistry, "hand");
  const trigger = timed ?? manual;
  if (trigger === undefined) {
    throw new CommandFailure(
      "The workflow has no trigger that a schedule can start.",
      "Add a schedule trigger or a manual trigger: a chat trigger waits for a message.",
    );
  }
  const missed = bundle.schedules.find(({ nodeId }) => nodeId === trigger.id)?.missed ?? "skip";
  const input = trigger === manual && isJsonObject(manual.config.input) ? manual.config.input : {};
  const schedules: PublishedSchedule[] = [{ nodeId: trigger.id, ...schedule, missed, input }];
  return { ...bundle, schedules, hash: sha256(`${bundle.hash} ${JSON.stringify(schedules)}`) };
}

/** Every credential that the workflows name must be one of the account's. */
async function checkCredentials(
  database: ReturnType<OpenStudio["actingAs"]>,
  documents: readonly WorkflowDocument[],
): Promise<void> {
  const named = documents.flatMap((document) =>
    Object.values(document.nodes).flatMap((node) => {
      const definition = definitionOf(nodeRegistry, node.type);
      if (definition === undefined || node.disabled === true) return [];
      return describeFields(definition.config)
        .filter(({ control }) => control === "credential")
        .flatMap(({ name }) => {
          const id = node.config[name];
          return typeof id === "string" && id !== "" ? [{ id, where: `${document.name} › ${node.title}` }] : [];
        });
    }),
  );
  if (named.length === 0) return;
  const { data, error } = await database.from("studio_credentials").select("id");
  if (error) throw new CommandFailure(`The credentials cannot be read: ${error.message}`, "Try again.");
  const known = new Set(
    z
      .array(z.object({ id: z.string() }))
      .parse(data)
      .map(({ id }) => id),
  );
  const missing = named.filter(({ id }) => !known.has(id));
  if (missing.length === 0) return;
  throw new CommandFailure(
    "The account lacks credentials that the workflow names, so it was not published.",
    `Make them in the studio, and put their ids into the file:\n  ${missing.map(({ id, where }) => `${id} (${where})`).join("\n  ")}`,
  );
}
