import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod/mini";
import { parseOptions } from "../cli/launch-options.mjs";

const root = join(import.meta.dirname, "..");
const text = (path: string) => readFileSync(join(root, path), "utf8");
const documents = (path: string): unknown[] =>
  parseAllDocuments(text(path), { merge: true }).map((document) => document.toJS() as unknown);

const compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      command: z.optional(z.array(z.string())),
      volumes: z.optional(z.array(z.string())),
      environment: z.record(z.string(), z.string()),
      stop_grace_period: z.optional(z.string()),
    }),
  ),
});
const probe = z.object({ httpGet: z.object({ path: z.enum(["/health", "/ready"]), port: z.string() }) });
const deployment = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        containers: z.tuple([
          z.object({
            args: z.optional(z.array(z.string())),
            env: z.array(z.object({ name: z.string() })),
            ports: z.tuple([z.object({ name: z.string(), containerPort: z.number() })]),
            readinessProbe: probe,
            livenessProbe: probe,
          }),
        ]),
      }),
    }),
  }),
});

const studioOptions = z.object({ data: z.string(), backups: z.object({ folder: z.string() }) });

const own = compose.parse(documents("deploy/compose.yaml")[0]).services;
const pods = ["studio", "worker"].map((name) => {
  const found = documents(`deploy/kubernetes/${name}.yaml`).find((one) => deployment.safeParse(one).success);
  return deployment.parse(found).spec.template.spec;
});
const readers = [
  "worker/main.ts",
  "worker/worker-keys.ts",
  "supabase/local/workers/stand-alone-worker.ts",
  "cli/launch.mjs",
];
const reading = readers.map(text).join();

it("starts the studio with options that it has, and both with variables that they read", () => {
  for (const args of [own["studio"]?.command ?? [], pods[0]?.containers[0].args ?? []]) {
    expect(parseOptions(args, "/app")).toMatchObject({
      workers: 0,
      names: expect.arrayContaining([expect.any(String)]),
    });
  }
  const names = ["studio", "worker"].flatMap((service) => Object.keys(own[service]?.environment ?? {}));
  const inPods = pods.flatMap(({ containers }) => containers[0].env.map(({ name }) => name));
  for (const name of [...names, ...inPods]) expect(reading).toContain(name);
});

it("asks whether they are ready at the port that they open, and gives them time to stop", () => {
  for (const { containers, terminationGracePeriodSeconds } of pods) {
    const [{ ports, readinessProbe, livenessProbe }] = containers;
    expect([readinessProbe.httpGet.path, livenessProbe.httpGet.path]).toEqual(["/ready", "/health"]);
    expect([readinessProbe.httpGet.port, livenessProbe.httpGet.port]).toEqual([ports[0].name, ports[0].name]);
    expect(text("Dockerfile")).toContain(`EXPOSE ${ports[0].containerPort}`);
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(10);
  }
});

it("keeps backups in a volume that the studio may write", () => {
  const studio = own["studio"];
  const { backups, data } = studioOptions.parse(parseOptions([...(studio?.command ?? []), "--data", "/data"], "/app"));
  expect(studio?.volumes).toEqual([`data:${data}`, `backups:${backups.folder}`]);
  const [, made] = /mkdir (.+) && chown node:node (.+) &&/.exec(text("Dockerfile")) ?? [];
  expect(made?.split(" ")).toEqual([data, backups.folder]);
});

it("compiles and copies into the images what is there", () => {
  const compiled = [...text("Dockerfile").matchAll(/'([\w/-]+\.ts)'/g)].map(([, path = ""]) => path);
  expect(compiled).toContain("cli/operator/data.ts");
  expect(compiled.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const copied = [...text("Dockerfile").matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, paths = ""]) => paths.split(" "));
  expect(copied.length).toBeGreaterThan(10);
  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
