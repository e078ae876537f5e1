import type { KnowledgeMode } from "../engine/knowledge/knowledge.ts";
import type { QuotedQuestion } from "../evaluation/retrieval/quoted-question.ts";
import type { Chunking } from "../engine/knowledge/chunking.ts";

/** A question of a collection, with the passages that a search has to find. */
export interface StoredQuestion extends QuotedQuestion {
  id: string;
}

/** One way to search, and what it found. */
export interface MeasuredWay {
  mode: KnowledgeMode;
  /** The reranking model; null: without. */
  rerank: string | null;
  /** For each question, the ranks of its right passages, from 1; null where one was not found. */
  ranks: (number | null)[][];
}

/** What a measurement found. */
export interface QualityResult {
  /** What was asked, in the order of the ranks. */
  questions: string[];
  ways: MeasuredWay[];
  /** Of embeddings and reranking, in US dollars; null where a price is not known. */
  costUsd: number | null;
  /** The collection as it was. */
  documents: number;
  chunks: number;
  embedding: string | null;
  chunking: Chunking;
}

export interface Measurement {
  id: string;
  /** ISO 8601. */
  createdAt: string;
  result: QualityResult;
}

/** Questions of collections, and how well searches answered them. Rejects with a ServiceError. */
export interface RetrievalQuality {
  /** In the order in which they were added. */
  questions(collectionId: string): Promise<StoredQuestion[]>;
  addQuestions(collectionId: string, questions: readonly QuotedQuestion[]): Promise<void>;
  changeQuestion(id: string, question: QuotedQuestion): Promise<void>;
  removeQuestion(id: string): Promise<void>;
  /** The latest first; at most 20 are kept. */
  measurements(collectionId: string): Promise<Measurement[]>;
  keepMeasurement(collectionId: string, result: QualityResult): Promise<void>;
}
