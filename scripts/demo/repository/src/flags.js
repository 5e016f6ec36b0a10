import { readFileSync } from 'node:fs';

const flags = JSON.parse(readFileSync(new URL('../config/flags.json', import.meta.url), 'utf8'));

export const isEnabled = (key) => (flags[key]?.rollout ?? 0) >= 100;
