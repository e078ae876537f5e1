import type { JsonObject } from "../../engine/json.ts";

/** A node of n8n with settings of every kind that its reader knows; values are made up and each has a name of its own. */
interface KindOfNode {
  type: string;
  version: number;
  parameters: JsonObject;
}

const base = "n8n-nodes-base.";
const ai = "@n8n/n8n-nodes-langchain.";
let last = 0;
/** A text that stands nowhere else. */
const text = () => `mark${(last += 1)}`;
/** An expression that stands nowhere else. */
const expression = () => `={{ $json.${text()} }}`;
const located = () => ({ __rl: true, mode: "id", value: expression() });
const condition = (type: string, operation: string) => ({
  id: text(),
  leftValue: expression(),
  rightValue: expression(),
  operator: { type, operation },
});
const conditions = (type: string, operation: string) => ({
  options: { caseSensitive: true, leftValue: "", typeValidation: "strict", version: 2 },
  combinator: "and",
  conditions: [condition(type, operation), condition(type, operation)],
});
const pairs = () => ({ parameters: [{ name: text(), value: expression() }] });

const kind = (type: string, version: number, parameters: JsonObject): KindOfNode => ({ type, version, parameters });

/** Nodes of each kind that n8n has, written for these tests. */
export const nodesOfEveryKind: readonly KindOfNode[] = [
  kind(`${base}set`, 3.4, {
    assignments: { assignments: [{ id: text(), name: text(), value: expression(), type: "string" }] },
    includeOtherFields: true,
  }),
  kind(`${base}set`, 3.4, { mode: "raw", jsonOutput: `={ "${text()}": "{{ $json.${text()} }}" }` }),
  kind(`${base}set`, 2, { values: { string: [{ name: text(), value: expression() }] }, keepOnlySet: true }),
  kind(`${base}set`, 3.2, {
    fields: { values: [{ name: text(), stringValue: expression() }] },
    include: "selected",
    includeFields: text(),
  }),
  kind(`${base}if`, 2.2, { conditions: conditions("string", "contains") }),
  kind(`${base}if`, 2.2, { conditions: conditions("dateTime", "after") }),
  kind(`${base}if`, 2.2, { conditions: conditions("array", "isSomethingElse") }),
  kind(`${base}if`, 1, { conditions: { number: [{ value1: expression(), value2: expression() }] } }),
  kind(`${base}filter`, 2, { conditions: conditions("string", "notExists") }),
  kind(`${base}filter`, 2, { conditions: conditions("number", "gte") }),
  kind(`${base}switch`, 3, {
    rules: { values: [{ conditions: conditions("string", "equals"), renameOutput: true, outputKey: text() }] },
    options: { fallbackOutput: "extra" },
  }),
  kind(`${base}switch`, 1, {
    dataType: "string",
    value1: expression(),
    rules: { rules: [{ value2: text(), output: 1 }] },
    fallbackOutput: 3,
  }),
  kind(`${base}merge`, 3, { mode: "combine", fieldsToMatchString: text(), joinMode: "keepNonMatches", options: {} }),
  kind(`${base}code`, 2, { jsCode: `return [{ json: { a: "${text()}" } }];` }),
  kind(`${base}code`, 2, { language: "python", pythonCode: text() }),
  kind(`${base}httpRequest`, 4.2, {
    method: "POST",
    url: expression(),
    sendQuery: true,
    queryParameters: pairs(),
    sendHeaders: true,
    headerParameters: pairs(),
    sendBody: true,
    contentType: "json",
    specifyBody: "json",
    jsonBody: `={ "${text()}": {{ $json.${text()} }} }`,
    options: { timeout: expression(), pagination: { pagination: { completeExpression: expression() } } },
  }),
  kind(`${base}httpRequest`, 4.2, {
    url: expression(),
    sendBody: false,
    bodyParameters: pairs(),
    sendQuery: true,
    specifyQuery: "json",
    jsonQuery: expression(),
  }),
  kind(`${base}httpRequest`, 4.2, {
    method: "POST",
    url: text(),
    sendBody: true,
    contentType: "multipart-form-data",
    bodyParameters: {
      parameters: [{ parameterType: "formBinaryData", name: text(), inputDataFieldName: text() }],
    },
  }),
  kind(`${base}httpRequest`, 2, {
    requestMethod: "PUT",
    url: expression(),
    queryParametersUi: { parameter: [{ name: text(), value: expression() }] },
    bodyParametersUi: { parameter: [{ name: text(), value: expression() }] },
  }),
  kind(`${base}wait`, 1.1, { amount: expression(), unit: "days" }),
  kind(`${base}wait`, 1.1, { resume: "webhook", limitWaitTime: true, options: { webhookSuffix: text() } }),
  kind(`${base}stopAndError`, 1, { errorMessage: expression() }),
  kind(`${base}respondToWebhook`, 1.1, {
    respondWith: "json",
    responseBody: expression(),
    options: { responseCode: expression(), responseHeaders: { entries: [{ name: text(), value: expression() }] } },
  }),
  kind(`${base}dateTime`, 2, {
    operation: "addToDate",
    magnitude: expression(),
    duration: expression(),
    timeUnit: "days",
    outputFieldName: text(),
  }),
  kind(`${base}splitOut`, 1, { fieldToSplitOut: text(), include: "selectedOtherFields", fieldsToInclude: text() }),
  kind(`${base}splitInBatches`, 3, { batchSize: expression(), options: { reset: expression() } }),
  kind(`${base}aggregate`, 1, {
    fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: text(), renameField: true, outputFieldName: text() }] },
    options: { mergeLists: true, keepMissing: expression() },
  }),
  kind(`${base}summarize`, 1, {
    fieldsToSummarize: { values: [{ aggregation: "sum", field: text() }] },
    fieldsToSplitBy: text(),
    options: { outputFormat: "singleItem" },
  }),
  kind(`${base}sort`, 1, { sortFieldsUi: { sortField: [{ fieldName: text(), order: "descending" }] } }),
  kind(`${base}sort`, 1, { type: "code", code: text() }),
  kind(`${base}limit`, 1, { maxItems: expression() }),
  kind(`${base}removeDuplicates`, 2, {
    operation: "removeItemsSeenInPreviousExecutions",
    dedupeValue: expression(),
    options: { historySize: 20 },
  }),
  kind(`${base}renameKeys`, 1, { keys: { key: [{ currentKey: text(), newKey: expression() }] } }),
  kind(`${base}html`, 1.2, { html: `<b>{{ $json.${text()} }}</b>` }),
  kind(`${base}markdown`, 1, { html: expression(), destinationKey: text() }),
  kind(`${base}extractFromFile`, 1, { operation: "csv", binaryPropertyName: text(), options: { delimiter: text() } }),
  kind(`${base}postgres`, 2.5, {
    operation: "update",
    table: located(),
    columns: { mappingMode: "defineBelow", matchingColumns: ["id"], value: { id: expression(), name: expression() } },
  }),
  kind(`${base}postgres`, 2.5, {
    operation: "executeQuery",
    query: `=delete from {{ $json.${text()} }} where id = $1`,
    options: { queryReplacement: expression() },
  }),
  kind(`${base}webhook`, 2, { httpMethod: "POST", path: text(), options: { rawBody: true } }),
  kind(`${base}formTrigger`, 2.2, {
    formTitle: text(),
    formFields: { values: [{ fieldLabel: text(), requiredField: true }] },
  }),
  kind(`${base}scheduleTrigger`, 1.2, {
    rule: {
      interval: [
        { field: "hours", hoursInterval: 2 },
        { field: "cronExpression", expression: text() },
      ],
    },
  }),
  kind(`${base}gmailTrigger`, 1.2, { filters: { q: text() }, pollTimes: { item: [{ mode: "everyHour" }] } }),
  kind(`${ai}agent`, 2, {
    promptType: "define",
    text: expression(),
    options: { systemMessage: expression(), maxIterations: expression(), humanMessage: text() },
  }),
  kind(`${ai}agent`, 1.6, {
    text: "={{ $json.chatInput }}",
    agent: "sqlAgent",
    dataSource: text(),
    input: expression(),
  }),
  kind(`${ai}chainLlm`, 1.5, {
    promptType: "define",
    text: expression(),
    messages: { messageValues: [{ type: "AIMessagePromptTemplate", message: expression() }] },
  }),
  kind(`${ai}informationExtractor`, 1, {
    text: expression(),
    attributes: { attributes: [{ name: text(), description: expression(), required: true }] },
  }),
  kind(`${ai}textClassifier`, 1, {
    inputText: expression(),
    categories: { categories: [{ category: text(), description: expression() }] },
    options: { fallback: "other" },
  }),
  kind(`${ai}openAi`, 1.8, {
    modelId: located(),
    messages: { values: [{ role: "system", content: expression() }, { content: expression() }] },
    options: { maxTokens: expression() },
  }),
  kind(`${ai}chainSummarization`, 2, {
    options: { summarizationMethodAndPrompts: { values: { combineMapPrompt: expression(), prompt: expression() } } },
  }),
  kind(`${ai}lmChatOpenAi`, 1.2, { model: located(), options: { temperature: expression(), timeout: 5 } }),
  kind(`${ai}memoryBufferWindow`, 1.3, { sessionIdType: "customKey", sessionKey: expression() }),
  kind(`${ai}memoryPostgresChat`, 1.3, { tableName: text() }),
  kind(`${ai}vectorStoreQdrant`, 1, { mode: "insert", qdrantCollection: located() }),
  kind(`${ai}toolWorkflow`, 2, {
    workflowId: located(),
    description: text(),
    workflowInputs: { value: { name: expression() } },
  }),
  kind(`${ai}toolHttpRequest`, 1.1, {
    url: expression(),
    method: "POST",
    sendBody: true,
    parametersBody: { values: [{ name: text(), value: expression(), valueProvider: "fieldValue" }] },
    optimizeResponse: true,
    fields: text(),
  }),
  kind(`${ai}toolCode`, 1.1, { description: text(), jsCode: `return "${text()}";` }),
  kind(`${ai}mcpClientTool`, 1, { sseEndpoint: expression(), include: "selected", includeTools: [text()] }),
  kind(`${base}gmail`, 2.1, { sendTo: expression(), subject: expression(), message: expression(), options: {} }),
  kind(`${base}googleSheets`, 4.5, {
    operation: "update",
    documentId: located(),
    sheetName: located(),
    columns: { mappingMode: "defineBelow", matchingColumns: ["id"], value: { id: expression(), name: expression() } },
  }),
  kind(`${base}notion`, 2.2, {
    resource: "databasePage",
    databaseId: located(),
    title: expression(),
    propertiesUi: { propertyValues: [{ key: text(), textContent: expression() }] },
  }),
  kind(`${base}notion`, 2.2, { resource: "oddThing", operation: "getAll", filter: expression() }),
  kind(`${base}oddService`, 1, { operation: text(), filter: expression() }),
];
