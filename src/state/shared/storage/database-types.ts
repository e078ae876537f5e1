// Made by `npm run schema` from the migrations. Change those, not this file.
import type { Json } from "../../../engine/json.ts";

export interface DatabaseTypes {
  public: {
    Tables: {
      studio_agent_memory: {
        Row: {
          id: number;
          owner: string;
          workflow_id: string | null;
          session_id: string;
          role: string;
          content: string;
          message: Json;
          created_at: string;
          write_id: string | null;
          write_position: number | null;
        };
        Insert: {
          id?: number;
          owner?: string;
          workflow_id?: string | null;
          session_id: string;
          role: string;
          content?: string;
          message: unknown;
          created_at?: string;
          write_id?: string | null;
          write_position?: number | null;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_agent_memory"]["Insert"]>;
        Relationships: [];
      };
      studio_allowed_values: {
        Row: {
          id: string;
          owner: string;
          workflow_id: string;
          node_id: string;
          tool_name: string;
          definition: string;
          path: Json;
          value: string;
          state: string;
          approvals: number;
          answered_at: string;
        };
        Insert: {
          id?: string;
          owner: string;
          workflow_id: string;
          node_id: string;
          tool_name: string;
          definition: string;
          path: unknown;
          value: string;
          state: string;
          approvals?: number;
          answered_at?: string;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_allowed_values"]["Insert"]>;
        Relationships: [];
      };
      studio_api_keys: {
        Row: {
          id: string;
          owner: string;
          name: string;
          prefix: string;
          scopes: Json;
          limits: Json;
          created_at: string;
          expires_at: string | null;
          last_used_at: string | null;
          revoked_at: string | null;
          allows_unknown_prices: boolean;
        };
        Insert: {
          id?: string;
          owner: string;
          name: string;
          prefix: string;
          scopes: unknown;
          limits?: unknown;
          created_at?: string;
          expires_at?: string | null;
          last_used_at?: string | null;
          revoked_at?: string | null;
          allows_unknown_prices?: boolean;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_api_keys"]["Insert"]>;
        Relationships: [];
      };
      studio_cases: {
        Row: {
          id: string;
          owner: string;
          suite_id: string;
          name: string;
          body: Json;
          cassette: Json | null;
          created_at: string;
          removed_at: string | null;
        };
        Insert: {
          id?: string;
          owner?: string;
          suite_id: string;
          name: string;
          body: unknown;
          cassette?: unknown;
          created_at?: string;
          removed_at?: string | null;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_cases"]["Insert"]>;
        Relationships: [];
      };
      studio_chat_threads: {
        Row: {
          id: string;
          owner: string;
          workflow_id: string;
          subject: string;
          title: string;
          created_at: string;
          updated_at: string;
        };
        Insert: {
          id?: string;
          owner: string;
          workflow_id: string;
          subject: string;
          title: string;
          created_at?: string;
          updated_at?: string;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_chat_threads"]["Insert"]>;
        Relationships: [];
      };
      studio_chat_turns: {
        Row: {
          run_id: string;
          owner: string;
          thread_id: string;
          at: string;
          rating: string | null;
          comment: string;
          rated_at: string | null;
        };
        Insert: {
          run_id: string;
          owner: string;
          thread_id: string;
          at?: string;
          rating?: string | null;
          comment?: string;
          rated_at?: string | null;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_chat_turns"]["Insert"]>;
        Relationships: [];
      };
      studio_credentials: {
        Row: {
          id: string;
          owner: string;
          name: string;
          type: string;
          last_four: string | null;
          allowed_hosts: string[];
          key_version: number;
          created_at: string;
          updated_at: string;
          settings: Json;
        };
        Insert: {
          id?: string;
          owner?: string;
          name: string;
          type: string;
          last_four?: string | null;
          allowed_hosts?: readonly string[];
          key_version: number;
          created_at?: string;
          updated_at?: string;
          settings?: unknown;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_credentials"]["Insert"]>;
        Relationships: [];
      };
      studio_doors: {
        Row: {
          workflow_id: string;
          owner: string;
          kind: string;
          enabled: boolean;
          config: Json;
          secrets: Json;
          updated_at: string;
          known_deliveries: number;
          known_delivery_at: string | null;
        };
        Insert: {
          workflow_id: string;
          owner: string;
          kind: string;
          enabled?: boolean;
          config?: unknown;
          secrets?: unknown;
          updated_at?: string;
          known_deliveries?: number;
          known_delivery_at?: string | null;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_doors"]["Insert"]>;
        Relationships: [];
      };
      studio_evaluations: {
        Row: {
          id: string;
          owner: string;
          suite_id: string;
          digest: string;
          status: string;
          summary: Json | null;
          created_at: string;
          updated_at: string;
          suite_version: number | null;
          workflow_revision: number | null;
          published_version: number | null;
        };
        Insert: {
          id?: string;
          owner?: string;
          suite_id: string;
          digest: string;
          status?: string;
          summary?: unknown;
          created_at?: string;
          updated_at?: string;
          suite_version?: number | null;
          workflow_revision?: number | null;
          published_version?: number | null;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_evaluations"]["Insert"]>;
        Relationships: [];
      };
      studio_files: {
        Row: {
          id: string;
          owner: string;
          blob: string;
          name: string;
          media_type: string;
          size: number;
          sha256: string;
          created_at: string;
        };
        Insert: {
          id?: string;
          owner: string;
          blob: string;
          name: string;
          media_type: string;
          size: number;
          sha256: string;
          created_at?: string;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_files"]["Insert"]>;
        Relationships: [];
      };
      studio_hook_requests: {
        Row: {
          workflow_id: string;
          owner: string;
          request: Json;
          received_at: string;
        };
        Insert: {
          workflow_id: string;
          owner: string;
          request: unknown;
          received_at?: string;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_hook_requests"]["Insert"]>;
        Relationships: [];
      };
      studio_knowledge_bits: {
        Row: {
          chunk_id: string;
          owner: string;
          collection_id: string;
          document_id: string;
          bits: string;
        };
        Insert: {
          chunk_id: string;
          owner: string;
          collection_id: string;
          document_id: string;
          bits: string;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_knowledge_bits"]["Insert"]>;
        Relationships: [];
      };
      studio_knowledge_chunks: {
        Row: {
          id: string;
          owner: string;
          collection_id: string;
          document_id: string;
          position: number;
          heading: string;
          content: string;
          content_hash: string;
          tokens: number;
          metadata: Json;
          embedding: string | null;
          embedded: boolean;
          search: string;
          created_at: string;
          language: string | null;
          parent: number | null;
          lead: string | null;
        };
        Insert: {
          id?: string;
          owner?: string;
          collection_id: string;
          document_id: string;
          position: number;
          heading?: string;
          content: string;
          content_hash: string;
          tokens?: number;
          metadata?: unknown;
          embedding?: string | null;
          search?: string;
          created_at?: string;
          language?: string | null;
          parent?: number | null;
          lead?: string | null;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_knowledge_chunks"]["Insert"]>;
        Relationships: [];
      };
      studio_knowledge_collections: {
        Row: {
          id: string;
          owner: string;
          name: string;
          description: string;
          embedding_provider: string | null;
          embedding_model: string | null;
          embedding_credential: string;
          dimension: number | null;
          chunk_size: number;
          chunk_overlap: number;
          deleted_at: string | null;
          created_at: string;
          updated_at: string;
          language: string | null;
          search_mode: string | null;
          postgres_table: Json | null;
          splitting: Json | null;
        };
        Insert: {
          id?: string;
          owner?: string;
          name: string;
          description?: string;
          embedding_provider?: string | null;
          embedding_model?: string | null;
          embedding_credential?: string;
          dimension?: number | null;
          chunk_size?: number;
          chunk_overlap?: number;
          deleted_at?: string | null;
          created_at?: string;
          updated_at?: string;
          language?: string | null;
          search_mode?: string | null;
          postgres_table?: unknown;
          splitting?: unknown;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_knowledge_collections"]["Insert"]>;
        Relationships: [];
      };
      studio_knowledge_documents: {
        Row: {
          id: string;
          owner: string;
          collection_id: string;
          name: string;
          kind: string;
          source: string;
          content_hash: string;
          size: number;
          sections: Json;
          status: string;
          error: Json | null;
          chunks: number;
          tokens: number;
          cost_usd: number | null;
          deleted_at: string | null;
          created_at: string;
          updated_at: string;
          language: string | null;
          language_chosen: boolean;
          stale: boolean;
          ingest: string | null;
          untrusted: Json;
          upload: string | null;
          upload_due: string | null;
          file_sha256: string | null;
          metadata: Json;
          upload_metadata: Json | null;
          upload_worker: string | null;
          original: string | null;
          upload_key: string | null;
        };
        Insert: {
          id?: string;
          owner?: string;
          collection_id: string;
          name: string;
          kind: string;
          source?: string;
          content_hash: string;
          size?: number;
          sections?: unknown;
          status?: string;
          error?: unknown;
          chunks?: number;
          tokens?: number;
          cost_usd?: number | null;
          deleted_at?: string | null;
          created_at?: string;
          updated_at?: string;
          language?: string | null;
          language_chosen?: boolean;
          stale?: boolean;
          ingest?: string | null;
          untrusted?: unknown;
          upload?: string | null;
          upload_due?: string | null;
          file_sha256?: string | null;
          metadata?: unknown;
          upload_metadata?: unknown;
          upload_worker?: string | null;
          original?: string | null;
          upload_key?: string | null;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_knowledge_documents"]["Insert"]>;
        Relationships: [];
      };
      studio_knowledge_measurements: {
        Row: {
          id: string;
          owner: string;
          collection_id: string;
          result: Json;
          created_at: string;
        };
        Insert: {
          id?: string;
          owner?: string;
          collection_id: string;
          result: unknown;
          created_at?: string;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_knowledge_measurements"]["Insert"]>;
        Relationships: [];
      };
      studio_knowledge_questions: {
        Row: {
          id: string;
          owner: string;
          collection_id: string;
          question: string;
          passages: Json;
          created_at: string;
        };
        Insert: {
          id?: string;
          owner?: string;
          collection_id: string;
          question: string;
          passages: unknown;
          created_at?: string;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_knowledge_questions"]["Insert"]>;
        Relationships: [];
      };
      studio_knowledge_source_pages: {
        Row: {
          id: string;
          owner: string;
          source_id: string;
          url: string;
          role: string;
          depth: number;
          found: number;
          document_id: string | null;
          etag: string | null;
          last_modified: string | null;
          body_hash: string | null;
          links: Json;
          run: number;
          done: boolean;
          gone: boolean;
          missing: number;
          error: Json | null;
        };
        Insert: {
          id?: string;
          owner: string;
          source_id: string;
          url: string;
          role: string;
          depth: number;
          found?: number;
          document_id?: string | null;
          etag?: string | null;
          last_modified?: string | null;
          body_hash?: string | null;
          links?: unknown;
          run: number;
          done?: boolean;
          gone?: boolean;
          missing?: number;
          error?: unknown;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_knowledge_source_pages"]["Insert"]>;
        Relationships: [];
      };
      studio_knowledge_sources: {
        Row: {
          id: string;
          owner: string;
          collection_id: string;
          kind: string;
          url: string;
          depth: number;
          include: string[];
          exclude: string[];
          every_hours: number | null;
          max_pages: number;
          max_tokens: number;
          accepted: boolean;
          state: string;
          due_at: string | null;
          run: number;
          counts: boolean;
          started_at: string | null;
          turn: string | null;
          worker: string | null;
          tally: Json;
          last: Json | null;
          created_at: string;
        };
        Insert: {
          id?: string;
          owner?: string;
          collection_id: string;
          kind: string;
          url: string;
          depth?: number;
          include?: readonly string[];
          exclude?: readonly string[];
          every_hours?: number | null;
          max_pages?: number;
          max_tokens?: number;
          accepted?: boolean;
          state?: string;
          due_at?: string | null;
          run?: number;
          counts?: boolean;
          started_at?: string | null;
          turn?: string | null;
          worker?: string | null;
          tally?: unknown;
          last?: unknown;
          created_at?: string;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_knowledge_sources"]["Insert"]>;
        Relationships: [];
      };
      studio_knowledge_words: {
        Row: {
          owner: string;
          collection_id: string;
          word: string;
        };
        Insert: {
          owner?: string;
          collection_id: string;
          word: string;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_knowledge_words"]["Insert"]>;
        Relationships: [];
      };
      studio_memory_conversations: {
        Row: {
          id: string;
          owner: string;
          workflow_id: string | null;
          session_id: string;
          messages: number;
          bytes: number;
          last_message: number;
          last_used_at: string;
          title: string | null;
          title_message: number | null;
          last_written_at: string;
          sealed_title: Json | null;
        };
        Insert: {
          id?: string;
          owner: string;
          workflow_id?: string | null;
          session_id: string;
          messages: number;
          bytes: number;
          last_message: number;
          last_used_at: string;
          title?: string | null;
          title_message?: number | null;
          last_written_at?: string;
          sealed_title?: unknown;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_memory_conversations"]["Insert"]>;
        Relationships: [];
      };
      studio_memory_vectors: {
        Row: {
          message_id: number;
          owner: string;
          model: string;
          embedding: string;
        };
        Insert: {
          message_id: number;
          owner?: string;
          model: string;
          embedding: string;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_memory_vectors"]["Insert"]>;
        Relationships: [];
      };
      studio_publications: {
        Row: {
          workflow_id: string;
          owner: string;
          slug: string;
          live: number | null;
          staging: number | null;
          limits: Json;
          on_failure: Json | null;
          updated_at: string;
          on_failure_problem: string | null;
          share_notice: Json | null;
          unknown_prices: Json | null;
        };
        Insert: {
          workflow_id: string;
          owner: string;
          slug: string;
          live?: number | null;
          staging?: number | null;
          limits?: unknown;
          on_failure?: unknown;
          updated_at?: string;
          on_failure_problem?: string | null;
          share_notice?: unknown;
          unknown_prices?: unknown;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_publications"]["Insert"]>;
        Relationships: [];
      };
      studio_published: {
        Row: {
          workflow_id: string;
          owner: string;
          version: number;
          document: Json;
          workflows: Json;
          hash: string;
          schedules: Json;
          note: string;
          revision: number | null;
          published_at: string;
          suites: Json;
          allows_unknown_prices: boolean;
          marks_callers: boolean;
        };
        Insert: {
          workflow_id: string;
          owner: string;
          version: number;
          document: unknown;
          workflows?: unknown;
          hash: string;
          schedules?: unknown;
          note?: string;
          revision?: number | null;
          published_at?: string;
          suites?: unknown;
          allows_unknown_prices?: boolean;
          marks_callers?: boolean;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_published"]["Insert"]>;
        Relationships: [];
      };
      studio_run_events: {
        Row: {
          run_id: string;
          seq: number;
          owner: string;
          at: string;
          type: string;
          event: Json;
          run_added_at: string;
        };
        Insert: {
          run_id: string;
          seq: number;
          owner?: string;
          at: string;
          type: string;
          event: unknown;
          run_added_at: string;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_run_events"]["Insert"]>;
        Relationships: [];
      };
      studio_run_waits: {
        Row: {
          run_id: string;
          call_id: string;
          owner: string;
          kind: string;
          question: Json;
          asked_at: string;
          expires_at: string | null;
          decision: Json | null;
          decided_at: string | null;
        };
        Insert: {
          run_id: string;
          call_id: string;
          owner: string;
          kind: string;
          question: unknown;
          asked_at?: string;
          expires_at?: string | null;
          decision?: unknown;
          decided_at?: string | null;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_run_waits"]["Insert"]>;
        Relationships: [];
      };
      studio_runs: {
        Row: {
          id: string;
          owner: string;
          workflow_id: string;
          status: string;
          input: Json | null;
          output: Json | null;
          error: Json | null;
          document: Json | null;
          total_tokens: number | null;
          cost_usd: number | null;
          started_at: string;
          ended_at: string | null;
          updated_at: string;
          forked_from: Json | null;
          usage: Json | null;
          ending: Json | null;
          source: string;
          published_version: number | null;
          trigger_id: string | null;
          idempotency_key: string | null;
          attempt: number;
          lost: number;
          worker: string | null;
          lease_until: string | null;
          queued_at: string | null;
          cancel_requested_at: string | null;
          api_key_id: string | null;
          subject: string | null;
          is_trial: boolean;
          callers: string | null;
          added_at: string;
        };
        Insert: {
          id?: string;
          owner?: string;
          workflow_id: string;
          status?: string;
          input?: unknown;
          output?: unknown;
          error?: unknown;
          document?: unknown;
          total_tokens?: number | null;
          cost_usd?: number | null;
          started_at?: string;
          ended_at?: string | null;
          updated_at?: string;
          forked_from?: unknown;
          usage?: unknown;
          ending?: unknown;
          source?: string;
          published_version?: number | null;
          trigger_id?: string | null;
          idempotency_key?: string | null;
          attempt?: number;
          lost?: number;
          worker?: string | null;
          lease_until?: string | null;
          queued_at?: string | null;
          cancel_requested_at?: string | null;
          api_key_id?: string | null;
          subject?: string | null;
          is_trial?: boolean;
          callers?: string | null;
          added_at?: string;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_runs"]["Insert"]>;
        Relationships: [];
      };
      studio_settings: {
        Row: {
          owner: string;
          name: string;
          value: Json;
        };
        Insert: {
          owner?: string;
          name: string;
          value: unknown;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_settings"]["Insert"]>;
        Relationships: [];
      };
      studio_shared_runs: {
        Row: {
          id: string;
          owner: string;
          run_id: string;
          slug_hash: string;
          title: string;
          parts: Json;
          snapshot: Json;
          created_at: string;
          expires_at: string;
        };
        Insert: {
          id?: string;
          owner: string;
          run_id: string;
          slug_hash: string;
          title: string;
          parts: unknown;
          snapshot: unknown;
          created_at?: string;
          expires_at?: string;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_shared_runs"]["Insert"]>;
        Relationships: [];
      };
      studio_suite_versions: {
        Row: {
          suite_id: string;
          owner: string;
          version: number;
          revision: number;
          name: string;
          settings: Json;
          cases: Json;
          case_count: number;
          created_at: string;
        };
        Insert: {
          suite_id: string;
          owner?: string;
          version: number;
          revision: number;
          name: string;
          settings: unknown;
          cases: unknown;
          created_at?: string;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_suite_versions"]["Insert"]>;
        Relationships: [];
      };
      studio_suites: {
        Row: {
          id: string;
          owner: string;
          workflow_id: string;
          name: string;
          settings: Json;
          created_at: string;
          updated_at: string;
          revision: number;
          checks_changed: boolean;
        };
        Insert: {
          id?: string;
          owner?: string;
          workflow_id: string;
          name: string;
          settings?: unknown;
          created_at?: string;
          updated_at?: string;
          revision?: number;
          checks_changed?: boolean;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_suites"]["Insert"]>;
        Relationships: [];
      };
      studio_trials: {
        Row: {
          evaluation_id: string;
          owner: string;
          variant: string;
          case_name: string;
          trial: number;
          result: Json;
        };
        Insert: {
          evaluation_id: string;
          owner?: string;
          variant: string;
          case_name: string;
          trial: number;
          result: unknown;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_trials"]["Insert"]>;
        Relationships: [];
      };
      studio_triggers: {
        Row: {
          id: string;
          owner: string;
          workflow_id: string;
          node_id: string;
          kind: string;
          cron: string;
          time_zone: string;
          missed: string;
          input: Json;
          enabled: boolean;
          next_at: string | null;
          last_at: string | null;
          problem: string | null;
          skipped_at: string | null;
          start_problem: string | null;
          refused_at: string | null;
        };
        Insert: {
          id?: string;
          owner: string;
          workflow_id: string;
          node_id: string;
          kind: string;
          cron: string;
          time_zone: string;
          missed: string;
          input?: unknown;
          enabled?: boolean;
          next_at?: string | null;
          last_at?: string | null;
          problem?: string | null;
          skipped_at?: string | null;
          start_problem?: string | null;
          refused_at?: string | null;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_triggers"]["Insert"]>;
        Relationships: [];
      };
      studio_workflow_versions: {
        Row: {
          id: string;
          owner: string;
          workflow_id: string;
          seq: number;
          name: string | null;
          reason: string;
          revision: number;
          document: Json;
          saved_at: string;
          created_at: string;
          suites: Json;
        };
        Insert: {
          id?: string;
          owner?: string;
          workflow_id: string;
          seq?: number;
          name?: string | null;
          reason?: string;
          revision: number;
          document: unknown;
          saved_at?: string;
          created_at?: string;
          suites?: unknown;
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_workflow_versions"]["Insert"]>;
        Relationships: [];
      };
      studio_workflows: {
        Row: {
          id: string;
          owner: string;
          name: string;
          document: Json;
          revision: number;
          created_at: string;
          updated_at: string;
          deleted_at: string | null;
          tags: string[];
          description: string | null;
          import_state: Json | null;
        };
        Insert: {
          id?: string;
          owner?: string;
          name: string;
          document?: unknown;
          revision?: number;
          created_at?: string;
          updated_at?: string;
          deleted_at?: string | null;
          tags?: readonly string[];
        };
        Update: Partial<DatabaseTypes["public"]["Tables"]["studio_workflows"]["Insert"]>;
        Relationships: [];
      };
    };
    Views: Record<never, never>;
    Functions: {
      studio_accept_prices: {
        Args: {
          p_models: unknown;
          p_source: string | null;
          p_known_on?: string | null;
        };
        Returns: number;
      };
      studio_activity_overview: {
        Args: {
          p_from: string | null;
        };
        Returns: Json;
      };
      studio_allow_value: {
        Args: {
          p_id: string | null;
        };
        Returns: undefined;
      };
      studio_answer_values: {
        Args: {
          p_workflow_id: string | null;
          p_values: unknown;
          p_answer: string | null;
        };
        Returns: undefined;
      };
      studio_api_key_use: {
        Args: Record<never, never>;
        Returns: {
          id: string;
          day_usd: number;
          month_usd: number;
          runs: number;
        }[];
      };
      studio_append_memory: {
        Args: {
          p_workflow_id: string | null;
          p_session_id: string | null;
          p_model: string | null;
          p_entries: unknown;
          p_write_id?: string | null;
        };
        Returns: undefined;
      };
      studio_arrange_knowledge_chunks: {
        Args: {
          p_document_id: string | null;
          p_remove: readonly string[] | null;
          p_move: unknown;
          p_ingest?: string | null;
        };
        Returns: undefined;
      };
      studio_begin_evaluation: {
        Args: {
          p_suite_id: string | null;
          p_digest: string | null;
          p_suite_revision: number | null;
          p_workflow_revision: number | null;
          p_published_version: number | null;
        };
        Returns: Json;
      };
      studio_begin_knowledge_ingest: {
        Args: {
          p_document_id: string | null;
        };
        Returns: {
          ingest: string;
          sections: Json;
          untrusted: Json;
        }[];
      };
      studio_cancel_run: {
        Args: {
          p_run_id: string | null;
        };
        Returns: string;
      };
      studio_chore_problems: {
        Args: Record<never, never>;
        Returns: {
          chore: string;
          problem: string;
          since: string;
          failures: number;
        }[];
      };
      studio_collector: {
        Args: {
          p_workflow_id: string | null;
        };
        Returns: Json;
      };
      studio_conversation_runs: {
        Args: {
          p_workflow_id: string | null;
          p_session_id: string | null;
        };
        Returns: {
          id: string;
          status: string;
          started_at: string;
          question: string;
          output: Json;
          error: Json;
          is_remembered: boolean;
        }[];
      };
      studio_conversation_titles: {
        Args: {
          p_keys: unknown;
        };
        Returns: {
          workflow_id: string;
          session_id: string;
          title: string;
          sealed_title: Json;
        }[];
      };
      studio_count_upload_cost: {
        Args: {
          p_document_id: string | null;
          p_usd: number | null;
        };
        Returns: undefined;
      };
      studio_credential_uses: {
        Args: {
          p_credentials: readonly string[] | null;
        };
        Returns: {
          credential_id: string;
          workflow_id: string;
          workflow_name: string;
          total: number;
        }[];
      };
      studio_decide_wait: {
        Args: {
          p_run_id: string | null;
          p_call_id: string | null;
          p_decision: unknown;
        };
        Returns: string;
      };
      studio_delete_my_account: {
        Args: Record<never, never>;
        Returns: string;
      };
      studio_delete_runs: {
        Args: {
          p_filter: unknown;
        };
        Returns: number;
      };
      studio_delete_source: {
        Args: {
          p_id: string | null;
          p_with_documents: boolean | null;
        };
        Returns: number;
      };
      studio_describe_documents: {
        Args: {
          p_collection_id: string | null;
          p_search: string | null;
          p_metadata: unknown;
        };
        Returns: number;
      };
      studio_drop_prices: {
        Args: Record<never, never>;
        Returns: undefined;
      };
      studio_failed_runs: {
        Args: {
          p_workflow_id: string | null;
          p_before: string | null;
          p_limit: number | null;
        };
        Returns: Json;
      };
      studio_feedback: {
        Args: {
          p_workflow_id: string | null;
          p_before: string | null;
          p_limit: number | null;
        };
        Returns: Json;
      };
      studio_filter_path: {
        Args: {
          p_condition: unknown;
          p_depth?: number | null;
        };
        Returns: string;
      };
      studio_find_runs: {
        Args: {
          p_filter: unknown;
          p_limit: number | null;
          p_after: unknown;
        };
        Returns: {
          id: string;
          workflow_id: string;
          workflow_name: string;
          status: string;
          input: Json;
          output: Json;
          error: Json;
          total_tokens: number;
          cost_usd: number;
          started_at: string;
          ended_at: string;
          forked_from: Json;
          ending: Json;
          source: string;
          published_version: number;
          trigger_id: string;
          attempt: number;
          worker: string;
          queued_at: string;
          cancel_requested_at: string;
          is_trial: boolean;
        }[];
      };
      studio_finish_knowledge_document: {
        Args: {
          p_document_id: string | null;
          p_status: string | null;
          p_error: unknown;
          p_cost_usd: number | null;
          p_ingest?: string | null;
        };
        Returns: undefined;
      };
      studio_fold: {
        Args: {
          p_text: string | null;
        };
        Returns: string;
      };
      studio_free_slug: {
        Args: {
          p_slug: string | null;
        };
        Returns: string;
      };
      studio_hold_knowledge_ingest: {
        Args: {
          p_document_id: string | null;
          p_ingest: string | null;
        };
        Returns: undefined;
      };
      studio_import_state: {
        Args: {
          p_document: unknown;
        };
        Returns: Json;
      };
      studio_inbox: {
        Args: {
          p_limit: number | null;
        };
        Returns: Json;
      };
      studio_keep_suite_version: {
        Args: {
          p_suite_id: string | null;
          p_spare?: number | null;
        };
        Returns: number;
      };
      studio_knowledge_by_meaning: {
        Args: {
          p_collection_id: string | null;
          p_embedding: string | null;
          p_limit: number | null;
          p_filter: string | null;
          p_hidden: readonly string[] | null;
        };
        Returns: {
          id: string;
          score: number;
        }[];
      };
      studio_knowledge_by_words: {
        Args: {
          p_collection_id: string | null;
          p_text: string | null;
          p_limit: number | null;
          p_filter: string | null;
          p_hidden: readonly string[] | null;
        };
        Returns: {
          id: string;
          score: number;
        }[];
      };
      studio_knowledge_fields: {
        Args: {
          p_collection_id: string | null;
        };
        Returns: {
          name: string;
          types: string[];
          examples: Json;
        }[];
      };
      studio_list_allowed_values: {
        Args: Record<never, never>;
        Returns: Json;
      };
      studio_list_collections: {
        Args: {
          p_search: string | null;
          p_ids: readonly string[] | null;
          p_after: unknown;
          p_limit: number | null;
        };
        Returns: {
          id: string;
          name: string;
          description: string;
          embedding_provider: string;
          embedding_model: string;
          embedding_credential: string;
          dimension: number;
          chunk_size: number;
          chunk_overlap: number;
          splitting: Json;
          language: string;
          search_mode: string;
          postgres_table: Json;
          documents: number;
          chunks: number;
          created_at: string;
          updated_at: string;
          total: number;
          place: Json;
        }[];
      };
      studio_list_conversations: {
        Args: {
          p_workflow_id: string | null;
          p_shared: boolean | null;
          p_search: string | null;
          p_after: unknown;
          p_limit: number | null;
        };
        Returns: {
          workflow_id: string;
          session_id: string;
          messages: number;
          bytes: number;
          last_used_at: string;
          notes: boolean;
          summarised: boolean;
          total: number;
          place: Json;
        }[];
      };
      studio_list_credentials: {
        Args: {
          p_search: string | null;
          p_types: readonly string[] | null;
          p_ids: readonly string[] | null;
          p_after: unknown;
          p_limit: number | null;
        };
        Returns: {
          id: string;
          name: string;
          type: string;
          last_four: string;
          allowed_hosts: string[];
          settings: Json;
          updated_at: string;
          total: number;
          place: Json;
        }[];
      };
      studio_list_documents: {
        Args: {
          p_collection_id: string | null;
          p_search: string | null;
          p_after: unknown;
          p_limit: number | null;
        };
        Returns: {
          id: string;
          collection_id: string;
          name: string;
          kind: string;
          source: string;
          content_hash: string;
          size: number;
          status: string;
          error: Json;
          chunks: number;
          tokens: number;
          cost_usd: number;
          language: string;
          language_chosen: boolean;
          metadata: Json;
          upload: string;
          created_at: string;
          updated_at: string;
          total: number;
          place: Json;
        }[];
      };
      studio_list_imports: {
        Args: {
          p_search: string | null;
          p_open: string | null;
          p_after: unknown;
          p_limit: number | null;
        };
        Returns: {
          id: string;
          name: string;
          created_at: string;
          import_state: Json;
          total: number;
          place: Json;
        }[];
      };
      studio_list_sources: {
        Args: {
          p_collection_id: string | null;
        };
        Returns: {
          id: string;
          kind: string;
          url: string;
          depth: number;
          include: string[];
          exclude: string[];
          every_hours: number;
          max_pages: number;
          max_tokens: number;
          state: string;
          counts: boolean;
          started_at: string;
          due_at: string;
          tally: Json;
          last: Json;
          documents: number;
          failures: Json;
        }[];
      };
      studio_list_suites: {
        Args: {
          p_limit: number | null;
        };
        Returns: Json;
      };
      studio_list_workflows: {
        Args: {
          p_search: string | null;
          p_order: string | null;
          p_after: unknown;
          p_limit: number | null;
          p_tags?: readonly string[] | null;
          p_trash?: boolean | null;
          p_own?: boolean | null;
        };
        Returns: {
          id: string;
          name: string;
          revision: number;
          created_at: string;
          updated_at: string;
          deleted_at: string;
          description: string;
          tags: string[];
          last_run: Json;
          total: number;
          place: Json;
        }[];
      };
      studio_make_api_key: {
        Args: {
          p_name: string | null;
          p_scopes: unknown;
          p_limits: unknown;
          p_expires_at?: string | null;
        };
        Returns: Json;
      };
      studio_mark_callers: {
        Args: {
          p_workflow_id: string | null;
          p_version: number | null;
        };
        Returns: undefined;
      };
      studio_memory_sessions: {
        Args: {
          p_workflow_id: string | null;
        };
        Returns: {
          workflow_id: string;
          session_id: string;
          messages: number;
          bytes: number;
          last_used_at: string;
        }[];
      };
      studio_merge_metadata: {
        Args: {
          p_present: unknown;
          p_added: unknown;
        };
        Returns: Json;
      };
      studio_place_filter: {
        Args: {
          p_filter: unknown;
        };
        Returns: Json;
      };
      studio_point: {
        Args: {
          p_workflow_id: string | null;
          p_target: string | null;
          p_version: number | null;
        };
        Returns: undefined;
      };
      studio_prune_conversations: {
        Args: Record<never, never>;
        Returns: number;
      };
      studio_prune_memory: {
        Args: {
          p_workflow_id: string | null;
          p_session_id: string | null;
          p_keep: number | null;
        };
        Returns: undefined;
      };
      studio_prune_runs: {
        Args: Record<never, never>;
        Returns: number;
      };
      studio_prune_trash: {
        Args: Record<never, never>;
        Returns: number;
      };
      studio_publication_activity: {
        Args: {
          p_workflow_id: string | null;
          p_from: string | null;
          p_bucket: string | null;
          p_time_zone: string | null;
        };
        Returns: Json;
      };
      studio_publish: {
        Args: {
          p_workflow_id: string | null;
          p_document: unknown;
          p_workflows: unknown;
          p_hash: string | null;
          p_schedules: unknown;
          p_slug: string | null;
          p_note: string | null;
          p_revision: number | null;
          p_target: string | null;
        };
        Returns: Json;
      };
      studio_purge_deleted: {
        Args: Record<never, never>;
        Returns: number;
      };
      studio_put_knowledge_document: {
        Args: {
          p_collection_id: string | null;
          p_id: string | null;
          p_document: unknown;
        };
        Returns: {
          id: string;
          ingest: string;
        }[];
      };
      studio_queue_state: {
        Args: Record<never, never>;
        Returns: Json;
      };
      studio_read_prices: {
        Args: {
          p_known: number | null;
        };
        Returns: Json;
      };
      studio_record_run: {
        Args: {
          p_run_id: string | null;
          p_events: unknown;
          p_end?: unknown;
        };
        Returns: undefined;
      };
      studio_reindex_knowledge: {
        Args: Record<never, never>;
        Returns: boolean;
      };
      studio_reload_source: {
        Args: {
          p_id: string | null;
          p_accept: boolean | null;
        };
        Returns: boolean;
      };
      studio_remember_turn: {
        Args: {
          p_workflow_id: string | null;
          p_session_id: string | null;
          p_messages: unknown;
          p_write_id?: string | null;
          p_keep?: number | null;
        };
        Returns: undefined;
      };
      studio_remove_case: {
        Args: {
          p_case_id: string | null;
        };
        Returns: undefined;
      };
      studio_renew_hook_secret: {
        Args: {
          p_workflow_id: string | null;
          p_secret: string | null;
          p_keep_previous: boolean | null;
        };
        Returns: undefined;
      };
      studio_restore_suite_version: {
        Args: {
          p_suite_id: string | null;
          p_version: number | null;
        };
        Returns: number;
      };
      studio_revoke_api_key: {
        Args: {
          p_id: string | null;
        };
        Returns: undefined;
      };
      studio_run_costs: {
        Args: {
          p_from: string | null;
          p_to: string | null;
          p_time_zone: string | null;
          p_most: number | null;
        };
        Returns: {
          axis: string;
          key: string;
          name: string;
          provider: string;
          merged: number;
          runs: number;
          calls: number;
          unpriced_calls: number;
          input_tokens: number;
          output_tokens: number;
          cost_usd: number;
        }[];
      };
      studio_run_count: {
        Args: {
          p_trials: boolean | null;
        };
        Returns: number;
      };
      studio_run_input_words: {
        Args: {
          p_input: unknown;
        };
        Returns: Json;
      };
      studio_save_collector: {
        Args: {
          p_workflow_id: string | null;
          p_url: string | null;
          p_headers: unknown;
          p_content: boolean | null;
        };
        Returns: undefined;
      };
      studio_save_door: {
        Args: {
          p_workflow_id: string | null;
          p_kind: string | null;
          p_enabled: boolean | null;
          p_config: unknown;
          p_secrets?: unknown;
        };
        Returns: undefined;
      };
      studio_save_source: {
        Args: {
          p_id: string | null;
          p_collection_id: string | null;
          p_source: unknown;
        };
        Returns: string;
      };
      studio_schedules: {
        Args: {
          p_workflow_id: string | null;
        };
        Returns: {
          id: string;
          node_id: string;
          cron: string;
          time_zone: string;
          missed: string;
          enabled: boolean;
          next_at: string;
          last_at: string;
          skipped_at: string;
          problem: string;
          start_problem: string;
          refused_at: string;
          last_run: Json;
        }[];
      };
      studio_search_knowledge: {
        Args: {
          p_collection_id: string | null;
          p_text: string | null;
          p_embedding: string | null;
          p_mode: string | null;
          p_limit: number | null;
          p_min_score: number | null;
          p_filter: unknown;
          p_documents?: unknown;
        };
        Returns: {
          id: string;
          document_id: string;
          document: string;
          heading: string;
          position: number;
          content: string;
          parent_text: string;
          metadata: Json;
          score: number;
          semantic_score: number;
          keyword_score: number;
        }[];
      };
      studio_search_memory: {
        Args: {
          p_workflow_id: string | null;
          p_session_id: string | null;
          p_model: string | null;
          p_embedding: string | null;
          p_limit: number | null;
          p_before: number | null;
        };
        Returns: {
          id: number;
          message: Json;
          similarity: number;
        }[];
      };
      studio_search_patterns: {
        Args: {
          p_search: string | null;
        };
        Returns: string[];
      };
      studio_set_failure_secret: {
        Args: {
          p_workflow_id: string | null;
          p_secret: string | null;
        };
        Returns: undefined;
      };
      studio_set_knowledge_embedding: {
        Args: {
          p_collection_id: string | null;
          p_provider: string | null;
          p_model: string | null;
          p_credential: string | null;
        };
        Returns: undefined;
      };
      studio_set_publication: {
        Args: {
          p_workflow_id: string | null;
          p_limits: unknown;
          p_on_failure: unknown;
        };
        Returns: undefined;
      };
      studio_share_run: {
        Args: {
          p_run_id: string | null;
          p_title: string | null;
          p_parts: unknown;
          p_snapshot: unknown;
        };
        Returns: Json;
      };
      studio_sort_key: {
        Args: {
          p_name: string | null;
        };
        Returns: string;
      };
      studio_start_run: {
        Args: {
          p_workflow: string | null;
          p_target: string | null;
          p_input: unknown;
          p_key?: string | null;
          p_forked_from?: unknown;
        };
        Returns: Json;
      };
      studio_storage: {
        Args: Record<never, never>;
        Returns: {
          kind: string;
          used: number;
          most: number;
        }[];
      };
      studio_store_knowledge_chunks: {
        Args: {
          p_document_id: string | null;
          p_model: string | null;
          p_chunks: unknown;
          p_ingest?: string | null;
        };
        Returns: undefined;
      };
      studio_switch_trigger: {
        Args: {
          p_trigger_id: string | null;
          p_enabled: boolean | null;
        };
        Returns: undefined;
      };
      studio_watch_run: {
        Args: {
          p_run_id: string | null;
        };
        Returns: boolean;
      };
      studio_workflow_outlines: {
        Args: {
          p_ids: readonly string[] | null;
        };
        Returns: {
          id: string;
          document: Json;
        }[];
      };
      studio_workflow_tags: {
        Args: Record<never, never>;
        Returns: {
          tag: string;
          workflows: number;
        }[];
      };
    };
  };
}
