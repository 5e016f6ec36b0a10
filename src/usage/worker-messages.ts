import type { Config } from '../config/index.ts';
import type { CallRecord } from './call-record.ts';
import type { SeenEntry, StepReport } from './event.ts';
import type { UsagePlace } from './place.ts';

/** What the worker is started with. */
export interface WorkerStart {
  readonly place: UsagePlace;
  readonly queries: Config['usage']['queries'];
  readonly retentionDays: number;
}

/** What the serving thread tells the worker. */
export type ToWorker =
  | { readonly kind: 'record'; readonly calls: readonly CallRecord[]; readonly entries: readonly SeenEntry[] }
  | { readonly kind: 'report'; readonly number: number; readonly report: StepReport }
  | { readonly kind: 'close' };

/** What the worker answers. */
export type FromWorker =
  | { readonly kind: 'taken'; readonly events: number }
  | { readonly kind: 'reported'; readonly number: number; readonly problem: string | undefined }
  | { readonly kind: 'told'; readonly level: 'warn' | 'info'; readonly message: string }
  | { readonly kind: 'closed' };
