import { describe, expect, it } from "vitest";
import { describeFields } from "../engine/config/describe-fields.ts";
import { defaultConfig } from "../engine/config/field-values.ts";
import type { AnyNodeDefinition } from "../engine/document/define-node.ts";
import { newNode } from "../engine/document/new-document.ts";
import { compileConfig } from "../engine/template/config-templates.ts";
import { nodeRegistry, nodeTypes } from "./index.ts";

const portsOf = (definition: AnyNodeDefinition) => ({
  in: Object.entries(definition.inputs).map(([name, port]) => `${name}:${port.kind}`),
  out: Object.entries(definition.outputs).map(([name, port]) => `${name}:${port.kind}`),
});

/** The stored port names of SPEC §2 by role; nodes of a flow have main in and their own main outputs. */
function expectPorts(definition: AnyNodeDefinition): void {
  const ports = portsOf(definition);
  switch (definition.role) {
    case "trigger":
      return expect(ports).toEqual({ in: [], out: ["main:main"] });
    case "agent":
      return expect(ports).toEqual({
        in: ["main:main", "model:model", "fallback:model", "memory:memory", "tools:tool"],
        out: ["main:main", "tool:tool"],
      });
    case "model":
    case "memory":
    case "tool":
      return expect(ports).toEqual({ in: [], out: [`${definition.role}:${definition.role}`] });
    case "flow":
      if (definition.type === "sticky-note" || definition.type === "group")
        return expect(ports).toEqual({ in: [], out: [] });
      expect(ports.in).toEqual(definition.type === "guardrails" ? ["main:main", "model:model"] : ["main:main"]);
      expect(ports.out.every((port) => port.endsWith(":main"))).toBe(true);
      return expect(ports.out.length).toBeGreaterThan(0);
  }
}

describe("the registry", () => {
  it("has unique types, all of them reachable by name", () => {
    const types = nodeTypes.map((definition) => definition.type);
    expect(new Set(types).size).toBe(types.length);
    for (const definition of nodeTypes) expect(nodeRegistry[definition.type]).toBe(definition);
  });

  it("draws what an agent uses with its port towards that of the agent, an agent as a tool as well", () => {
    const facing = { left: "right", right: "left", bottom: "top", top: "bottom" } as const;
    const agent = Object.values(nodeRegistry["ai-agent"]?.inputs ?? {}).filter(({ kind }) => kind !== "main");
    const towards = new Map(agent.map(({ kind, side }) => [kind, facing[side]]));
    const turned = nodeTypes.flatMap(({ type, outputs }) =>
      Object.values(outputs).flatMap(({ kind, side }) =>
        kind !== "main" && side !== towards.get(kind) ? [`${type} ${kind} ${side}`] : [],
      ),
    );
    expect(turned).toEqual([]);
  });

  it("has every node type that stored workflows may name", () => {
    const needed = [
      "manual-trigger",
      "chat-trigger",
      "ai-agent",
      "demo-model",
      "openai-model",
      "openai-compatible-model",
    ];
    const flow = [
      "set-fields",
      "if",
      "switch",
      "merge",
      "code",
      "http-request",
      "for-each",
      "repeat",
      "sticky-note",
      "group",
    ];
    for (const type of [...needed, ...flow, "window-memory", "calculator-tool", "http-request-tool"]) {
      expect(Object.keys(nodeRegistry)).toContain(type);
    }
    expect(portsOf(nodeRegistry["if"] ?? nodeTypes[0]!).out).toEqual(["true:main", "false:main"]);
  });
});

for (const definition of nodeTypes) {
  describe(`node type ${definition.type}`, () => {
    it("says what it is", () => {
      expect(definition.type).toMatch(/^[a-z][a-z0-9-]{1,63}$/);
      expect(definition.title).toMatch(/^\S.{0,39}$/);
      expect(definition.summary).toMatch(/^[A-Z].{5,120}\.$/);
      expect(definition.version).toBeGreaterThanOrEqual(1);
    });

    it("has no two fields that look the same, and help in sentences", () => {
      const shown = describeFields(definition.config).filter(({ hidden }) => hidden !== true);
      expect(new Set(shown.map(({ label }) => label)).size).toBe(shown.length);
      for (const { help } of shown) expect(help).not.toMatch(/^[a-z]/);
    });

    it("has the ports of its role", () => {
      expectPorts(definition);
      for (const port of [...Object.values(definition.inputs), ...Object.values(definition.outputs)]) {
        expect(port.label).not.toBe("");
        expect(port.max === null || port.max >= port.min).toBe(true);
      }
      for (const branch of definition.branches ?? []) expect(Object.keys(definition.outputs)).toContain(branch);
    });

    it("has a label and a help line for every field", () => {
      const fields = describeFields(definition.config);
      for (const field of fields) {
        expect(field.label).toMatch(/^\S.{0,39}$/);
        expect(field.help, field.name).toMatch(/.{3,}/);
        if (field.control === "select") expect(field.options?.length).toBeGreaterThan(0);
        if (field.visibleWhen) expect(fields.map((other) => other.name)).toContain(field.visibleWhen.field);
        if (field.ai) expect(definition.role).toBe("tool");
      }
      if (fields.some((field) => field.control === "credential")) {
        expect(fields.find((field) => field.control === "credential")?.credentialTypes?.length).toBeGreaterThan(0);
      }
    });

    it("has defaults that its schema and its templates accept", () => {
      const config = defaultConfig(definition.config);
      expect(definition.config.safeParse(config).error?.issues ?? []).toEqual([]);
      expect(compileConfig(definition, config).problems).toEqual([]);
      expect(JSON.parse(JSON.stringify(config))).toEqual(config);
    });

    it("describes itself from defaults, from nothing and from odd values", () => {
      const fields = describeFields(definition.config);
      const odd = Object.fromEntries(fields.map((field) => [field.name, [null, 7]]));
      for (const config of [defaultConfig(definition.config), {}, odd]) {
        expect(typeof (definition.describe?.(config) ?? "")).toBe("string");
        const node = { ...newNode(definition, { id: "x", position: { x: 0, y: 0 } }), config };
        expect(typeof (definition.toolName?.(node) ?? "")).toBe("string");
        expect(["all", "first"]).toContain(definition.startsWhen?.(config) ?? "all");
      }
    });
  });
}
