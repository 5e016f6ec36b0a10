import assert from 'node:assert/strict';
import test from 'node:test';
import { checkout } from '../src/checkout.js';

test('new-checkout pays in one step', () => assert.equal(checkout({ total: 5 }).steps, 1));
