import { z } from "zod/mini";
import { chunkingSchema } from "../../../engine/knowledge/chunking.ts";
import { knowledgeModes } from "../../../engine/knowledge/knowledge.ts";
import type { QuotedQuestion } from "../../../evaluation/retrieval/quoted-question.ts";
import type { Measurement, RetrievalQuality } from "../../../services/retrieval-quality.ts";
import { ServiceError } from "../../../services/services.ts";
import type { Database } from "../../conversation/storage/message-store.ts";
import { execute, query } from "../../shared/storage/query.ts";

const maxQuestions = 500;
const maxMeasurements = 20;

const questionRow = z.object({
  id: z.string(),
  question: z.string(),
  passages: z.array(z.object({ document: z.string(), quote: z.string() })),
});

const measurementRow = z.pipe(
  z.object({
    id: z.string(),
    created_at: z.string(),
    result: z.object({
      questions: z.array(z.string()),
      ways: z.array(
        z.object({
          mode: z.enum(knowledgeModes),
          rerank: z.nullable(z.string()),
          ranks: z.array(z.array(z.nullable(z.number()))),
        }),
      ),
      costUsd: z.nullable(z.number()),
      documents: z.number(),
      chunks: z.number(),
      embedding: z.nullable(z.string()),
      chunking: chunkingSchema,
    }),
  }),
  z.transform(({ created_at: createdAt, ...row }): Measurement => ({ ...row, createdAt })),
);

const ids = z.array(z.object({ id: z.string() }));

/** Questions and measurements in the database. Row level security shows the user their own. */
export function createRetrievalQuality(database: Database): RetrievalQuality {
  const questions = () => database.from("studio_knowledge_questions");
  const measurements = () => database.from("studio_knowledge_measurements");
  const columnsOf = ({ question, passages }: QuotedQuestion) => ({
    question,
    passages: passages.map(({ document, quote }) => ({ document, quote })),
  });

  return {
    questions: (collectionId) =>
      query(
        "list the questions",
        z.array(questionRow),
        questions()
          .select("id,question,passages")
          .eq("collection_id", collectionId)
          .order("created_at")
          .order("id")
          .limit(maxQuestions),
      ),

    async addQuestions(collectionId, added) {
      const stored = await query(
        "count the questions",
        ids,
        questions().select("id").eq("collection_id", collectionId).limit(maxQuestions),
      );
      if (stored.length + added.length > maxQuestions) {
        const hint = "Delete some that say little.";
        throw new ServiceError("invalid", `A collection has at most ${maxQuestions} questions.`, hint);
      }
      const rows = added.map((question) => ({ collection_id: collectionId, ...columnsOf(question) }));
      await execute("save the questions", questions().insert(rows));
    },

    async changeQuestion(id, question) {
      const changed = questions().update(columnsOf(question)).eq("id", id).select("id");
      const found = await query("save the question", ids, changed);
      if (found.length > 0) return;
      throw new ServiceError(
        "not-found",
        "This question does not exist.",
        "It may have been deleted. Reload the page.",
      );
    },

    removeQuestion: (id) => execute("delete the question", questions().delete().eq("id", id)),

    measurements: (collectionId) =>
      query(
        "list the measurements",
        z.array(measurementRow),
        measurements()
          .select("id,created_at,result")
          .eq("collection_id", collectionId)
          .order("created_at", { ascending: false })
          .limit(maxMeasurements),
      ),

    async keepMeasurement(collectionId, result) {
      await execute("save the measurement", measurements().insert({ collection_id: collectionId, result }));
      const older = await query(
        "list old measurements",
        ids,
        measurements()
          .select("id")
          .eq("collection_id", collectionId)
          .order("created_at", { ascending: false })
          .range(maxMeasurements, maxMeasurements + 100),
      );
      if (older.length === 0) return;
      const old = older.map(({ id }) => id);
      await execute("delete old measurements", measurements().delete().in("id", old));
    },
  };
}
