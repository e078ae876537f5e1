/** A small app of Dify's graph kind, in YAML as it is exported: asks two agents, loops, chooses a way and answers. */
export const difyChat = `app:
  name: Travel desk
  description: Answers questions about trips.
  mode: advanced-chat
kind: app
version: 0.1.5
workflow:
  conversation_variables:
    - name: mood
      value: calm
  environment_variables:
    - {name: region, value: north, value_type: string}
    - {name: desk_key, value: "", value_type: secret}
  features:
    opening_statement: Hello there
    suggested_questions: [Where shall I go?]
  graph:
    nodes:
      - {id: "10", type: custom, position: {x: 0, y: 0}, data: {type: start, title: Begin, variables: []}}
      - id: "20"
        type: custom
        position: {x: 300, y: 0}
        data:
          type: llm
          title: Think
          model: {provider: langgenius/openai/openai, name: gpt-4o-mini, mode: chat, completion_params: {temperature: 0.3, max_tokens: 200}}
          prompt_template:
            - {role: system, text: "You work in {{#env.region#}} and are {{#conversation.mood#}}."}
            - {role: user, text: "{{#sys.query#}}"}
          memory: {window: {enabled: true, size: 4}, query_prompt_template: ""}
      - id: "30"
        type: custom
        position: {x: 600, y: 0}
        data:
          type: if-else
          title: Which way?
          cases:
            - case_id: long
              logical_operator: and
              conditions:
                - {comparison_operator: contains, value: train, variable_selector: [sys, query]}
            - case_id: short
              logical_operator: or
              conditions:
                - {comparison_operator: is, value: bus, variable_selector: [sys, query]}
                - {comparison_operator: start with, value: walk, variable_selector: [sys, query]}
      - id: "40"
        type: custom
        position: {x: 900, y: 0}
        data: {type: template-transform, title: Card, template: "{% for stop in stops %}[{{ stop | upper }}]{% if not loop.last %}, {% endif %}{% endfor %}", variables: [{variable: stops, value_selector: ["45", output]}]}
      - id: "45"
        type: custom
        position: {x: 800, y: 0}
        data: {type: iteration, title: Stops, iterator_selector: ["44", names], output_selector: ["47", output], output_type: "array[string]", start_node_id: "46"}
      - {id: "46", type: custom-iteration-start, parentId: "45", position: {x: 820, y: 20}, data: {type: iteration-start, title: ""}}
      - id: "47"
        type: custom
        parentId: "45"
        position: {x: 840, y: 20}
        data: {type: template-transform, title: Stop, template: "{{ name }} {{ number }}", variables: [{variable: name, value_selector: ["45", item]}, {variable: number, value_selector: ["45", index]}]}
      - id: "44"
        type: custom
        position: {x: 700, y: 0}
        data: {type: code, title: Names, code_language: javascript, code: "function main({ query }) { return { names: query.split(' ') }; }", variables: [{variable: query, value_selector: [sys, query]}], outputs: {names: {type: "array[string]"}}}
      - {id: "50", type: custom, position: {x: 1200, y: 0}, data: {type: answer, title: By train, answer: "{{#40.output#}} / {{#20.text#}}"}}
      - {id: "51", type: custom, position: {x: 1200, y: 200}, data: {type: answer, title: By bus, answer: "A short way in {{#env.region#}}."}}
      - {id: "52", type: custom, position: {x: 1200, y: 400}, data: {type: answer, title: Otherwise, answer: "Never mind."}}
      - {id: "60", type: custom-note, position: {x: 0, y: 300}, data: {type: "", text: "{\\"root\\":{\\"children\\":[{\\"type\\":\\"paragraph\\",\\"children\\":[{\\"text\\":\\"A note\\"}]}]}}", theme: blue, width: 240, height: 90}}
    edges:
      - {id: a, source: "10", target: "20", sourceHandle: source, targetHandle: target}
      - {id: b, source: "20", target: "30", sourceHandle: source, targetHandle: target}
      - {id: c, source: "30", target: "44", sourceHandle: long, targetHandle: target}
      - {id: d, source: "44", target: "45", sourceHandle: source, targetHandle: target}
      - {id: e, source: "46", target: "47", sourceHandle: source, targetHandle: target}
      - {id: f, source: "45", target: "40", sourceHandle: source, targetHandle: target}
      - {id: g, source: "40", target: "50", sourceHandle: source, targetHandle: target}
      - {id: h, source: "30", target: "51", sourceHandle: short, targetHandle: target}
      - {id: i, source: "30", target: "52", sourceHandle: "false", targetHandle: target}
`;

/** A workflow app of one node of each other kind, as data. */
export function difyWorkflow(nodes: readonly object[], edges: readonly (readonly [string, string, string?])[] = []) {
  return {
    app: { name: "Parts", mode: "workflow" },
    kind: "app",
    version: "0.3.0",
    workflow: {
      graph: {
        nodes: nodes.map((data, index) => ({
          id: `n${index}`,
          type: "custom",
          position: { x: index * 300, y: 0 },
          data,
        })),
        edges: edges.map(([source, target, sourceHandle = "source"]) => ({ source, target, sourceHandle })),
      },
    },
  };
}
