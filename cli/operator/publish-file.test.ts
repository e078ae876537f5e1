import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildWorkflow, type WorkflowSketch } from "../../src/engine/testing/build-workflow.ts";
import { createEvaluationRepository } from "../../src/state/evaluation/storage/evaluation-repository.ts";
import { type SignedIn, signUp } from "../../supabase/local/testing/clients.ts";
import { startTestStack, type TestStack } from "../../supabase/local/testing/start-stack.ts";
import { type OpenStudio, openStudio } from "./open-studio.ts";
import { parsePublishArguments, type PublishArguments } from "./publish-arguments.ts";
import { publishFile } from "./publish-file.ts";

let stack: TestStack;
let user: SignedIn;
let studio: OpenStudio;
let directory: string;

beforeAll(async () => {
  stack = await startTestStack();
  user = await signUp(stack);
  studio = await openStudio(stack.dataDir);
  directory = await mkdtemp(join(tmpdir(), "switchyard-publish-"));
});
afterAll(async () => {
  await stack.stop();
  await rm(directory, { recursive: true });
});

async function publish(sketch: WorkflowSketch, options: Partial<PublishArguments> = {}) {
  const file = join(directory, "workflow.json");
  await writeFile(file, JSON.stringify(buildWorkflow(sketch)));
  return publishFile(studio, { file, note: "", target: "live", skipTests: false, ...options });
}

const greeter = (text: string): WorkflowSketch => ({
  name: "Greet people",
  nodes: { start: ["manual-trigger", { input: { text } }] },
});

it("makes the workflow in the account, publishes it, and brings the same one up to date the next time", async () => {
  const first = await publish(greeter("Hi"));
  expect(first).toEqual({
    workflowId: expect.any(String),
    version: 1,
    slug: "greet-people",
    target: "live",
    unchanged: false,
    url: `${studio.siteUrl}/w/${first.workflowId}`,
  });
  expect(await publish(greeter("Hi"))).toMatchObject({ workflowId: first.workflowId, version: 1, unchanged: true });
  const second = await publish(greeter("Hello"), { target: "staging", note: "Longer" });
  expect(second).toMatchObject({ workflowId: first.workflowId, version: 2 });
  const { data } = await user.client.from("studio_publications").select("slug,live,staging");
  expect(data).toEqual([{ slug: "greet-people", live: 1, staging: 2 }]);
  const workflows = await user.client.from("studio_workflows").select("revision");
  expect(workflows.data).toHaveLength(1);
});

it("gives a manual trigger a schedule", async () => {
  const schedule = { cron: "0 8 * * 1-5", timeZone: "Europe/Berlin" };
  const { workflowId } = await publish(greeter("Hi"), { slug: "each-morning", schedule });
  const { data } = await user.client
    .from("studio_triggers")
    .select("node_id,cron,time_zone,missed,input")
    .eq("workflow_id", workflowId);
  expect(data).toEqual([
    { node_id: "start", cron: "0 8 * * 1-5", time_zone: "Europe/Berlin", missed: "skip", input: { text: "Hi" } },
  ]);
  const bad = publish(greeter("Hi"), { slug: "each-morning", schedule: { ...schedule, timeZone: "Berlin" } });
  await expect(bad).rejects.toMatchObject({ exitCode: 2, hint: expect.stringContaining("not a time zone") });
});

it("names the credentials that the account lacks, and the errors of a workflow, and stores nothing", async () => {
  const agent: WorkflowSketch = {
    name: "Lacks a key",
    nodes: {
      start: ["chat-trigger"],
      agent: ["ai-agent"],
      model: ["openai-model", { credential: "7b2f6e1c-0000-4000-8000-000000000000", model: "gpt-4o" }, "The model"],
    },
    edges: ["start.main -> agent.main", "model.model -> agent.model"],
  };
  await expect(publish(agent)).rejects.toMatchObject({
    message: expect.stringContaining("lacks credentials"),
    hint: expect.stringContaining("7b2f6e1c-0000-4000-8000-000000000000 (Lacks a key › The model)"),
  });
  await expect(publish({ name: "Empty", nodes: {} })).rejects.toMatchObject({
    message: "The workflow has errors, so it was not published.",
    hint: expect.stringContaining("no trigger"),
  });
  const { data } = await user.client.from("studio_workflows").select("id").in("name", ["Lacks a key", "Empty"]);
  expect(data).toEqual([]);
});

it("asks whose the workflow becomes where several have signed up", async () => {
  const other = await signUp(stack);
  await expect(publish({ ...greeter("Hi"), name: "Whose" })).rejects.toMatchObject({
    hint: expect.stringContaining(other.email),
  });
  expect(await publish({ ...greeter("Hi"), name: "Whose" }, { account: other.email })).toMatchObject({ version: 1 });
  await expect(publish(greeter("Hi"), { slug: "whose", account: user.email })).rejects.toMatchObject({
    message: 'The address "whose" belongs to another workflow.',
  });
});

it("tells of suites that were not run on this version, and publishes nothing where one has to pass", async () => {
  const name = "Tested greeter";
  const { workflowId } = await publish({ ...greeter("Hi"), name }, { account: user.email });
  const evaluations = createEvaluationRepository({ database: studio.actingAs(user.userId) });
  const suite = await evaluations.create({ workflowId, name: "Greets", settings: {} });
  await evaluations.addCases(suite.id, [{ case: { id: "one", input: "Hi" } }]);
  const changed = { ...greeter("Hello"), name };
  const warned = await publish(changed, { account: user.email });
  expect(warned).toMatchObject({
    version: 2,
    warnings: [`The suite “Greets” has not been run on this version: ${studio.siteUrl}/tests/${suite.id}`],
  });
  await evaluations.save(suite.id, { settings: { publishing: "block" } });
  const other = { ...greeter("Welcome"), name };
  await expect(publish(other, { account: user.email })).rejects.toMatchObject({
    message: "The workflow is stored but not published, because its tests come first.",
    hint: expect.stringContaining("“Greets” has not been run"),
  });
  expect(await publish(other, { account: user.email, skipTests: true })).toMatchObject({ version: 3 });
});

it("reads its command line", () => {
  expect(parsePublishArguments(["--help"])).toBeNull();
  expect(parsePublishArguments(["a.json", "--schedule", "0 8 * * *", "--time-zone", "UTC"])).toEqual({
    file: "a.json",
    note: "",
    target: "live",
    skipTests: false,
    schedule: { cron: "0 8 * * *", timeZone: "UTC" },
  });
  for (const wrong of [[], ["a.json", "b.json"], ["a.json", "--target", "prod"], ["a.json", "--time-zone", "UTC"]])
    expect(() => parsePublishArguments(wrong)).toThrow(expect.objectContaining({ exitCode: 2 }));
});
