import { isEnabled } from './flags.js';

export function checkout(cart) {
  if (isEnabled('new-checkout')) return payInOneStep(cart);
  return payInThreeSteps(cart);
}

const payInOneStep = (cart) => ({ steps: 1, total: cart.total });
const payInThreeSteps = (cart) => ({ steps: 3, total: cart.total });
