// A process that opens one upstream, calls it and then does nothing, to be killed: `gateway-process.mts <cacheDir> <config>`.
import { openUpstreams } from '../../../src/tools/upstreams.ts';

const [cacheDir = '', config = '{}'] = process.argv.slice(2);
const upstreams = openUpstreams({
  upstreams: [JSON.parse(config)],
  cacheDir,
  approvalsFile: `${cacheDir}/approved.json`,
  credentialsFile: `${cacheDir}/oauth/credentials.json`,
  log: () => undefined,
  clientInfo: { name: 'test', version: '1' },
});
await upstreams.listMissing();
process.stdout.write('listed\n');
setInterval(() => undefined, 1000);
