import type { WrappedTool } from '../model.ts';
import { reportTool } from '../tools/playbook-reports.ts';
import { readTool } from '../tools/result-reader.ts';
import { proposeTool } from './propose.ts';

/** The entries of our own that no configuration adds, for those who only look at what tools there are. */
export const builtInTools: readonly WrappedTool[] = [readTool, reportTool, proposeTool];
