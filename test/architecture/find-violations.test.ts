import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { findViolations } from './find-violations.ts'
import type { Package } from './module-graph.ts'
import { readSource } from './read-source.ts'

const PACKAGES: readonly Package[] = [
  {
    folder: 'contract',
    name: '@stakewright/contract',
    exports: { '.': './src/index.ts', './errors': './src/errors.ts' },
  },
  { folder: 'client', name: '@stakewright/client', exports: { '.': './src/index.ts' } },
  {
    folder: 'server',
    name: '@stakewright/server',
    exports: { './*': './src/*' },
    imports: {
      '#ports/*': './src/ports/*',
      '#domain/*': './src/domain/*',
      '#api/*': './src/api/*',
      '#http/*': './src/http/*',
      '#mcp/*': './src/mcp/*',
      '#adapters/*': './src/adapters/*',
    },
  },
]

function check(sources: Readonly<Record<string, string>>): readonly string[] {
  return findViolations(
    Object.entries(sources).map(([path, text]) => readSource(path, text)),
    PACKAGES,
  )
}

const FORBIDDEN: readonly (readonly [path: string, text: string, message: RegExp])[] = [
  [
    'contract/src/index.ts',
    "import { Fault } from '@stakewright/server/fault.ts'",
    /contract must not import basics/,
  ],
  ['contract/src/index.ts', "import { readFile } from 'node:fs'", /contract must not import node:fs/],
  ['client/src/index.ts', "import { join } from 'node:path'", /client must not import node:path/],
  [
    'client/src/index.ts',
    "import type { Config } from '@stakewright/server/config.ts'",
    /client must not import config/,
  ],
  [
    'client/src/index.ts',
    "import { bcs } from '@mysten/sui/bcs'",
    /@mysten\/sui belongs to adapters\/sui and client for Sui/,
  ],
  ['server/src/ports/clock.ts', "import type { Fault } from '../fault.ts'", /ports must not import basics/],
  ['server/src/ports/clock.ts', "import { Price } from './price-feed.ts'", /ports imports types only/],
  ['server/src/ports/clock.ts', 'export const now = 1', /ports holds types only/],
  ['server/src/domain/a/b.ts', "import { clock } from '#ports/clock.ts'", /domain must not import ports/],
  [
    'server/src/domain/a/b.ts',
    "import type { Row } from '#adapters/sql/schema.ts'",
    /domain must not import adapters\/sql/,
  ],
  [
    'server/src/domain/a/b.ts',
    "import { TIERS } from '@stakewright/contract/errors'",
    /domain must not import contract/,
  ],
  ['server/src/domain/a/b.ts', "import { z } from 'zod'", /zod belongs to contract alone/],
  ['server/src/domain/a/b.ts', "import assert from 'node:assert'", /domain must not import node:assert/],
  ['server/src/domain/a/b.ts', "export { x } from '../../http/app.ts'", /domain must not import http/],
  ['server/src/domain/a/b.ts', "const x = await import('../../config.ts')", /domain must not import config/],
  ['server/src/domain/a/b.ts', "type X = typeof import('#http/app.ts')", /domain must not import http/],
  ['server/src/domain/a/b.ts', "import '../../jobs/runner.ts'", /domain must not import jobs/],
  [
    'server/src/domain/a/b.ts',
    "import {\n  a,\n  type B,\n} from '#http/app.ts'",
    /b\.ts:4: domain must not import http/,
  ],
  [
    'server/src/domain/a/b.ts',
    "import { x } from './b.test.ts'",
    /b\.test\.ts, which is for tests or tools only/,
  ],
  [
    'server/src/http/app.ts',
    "import { openSqlite } from '#adapters/sql/sqlite.ts'",
    /http must not import adapters\/sql/,
  ],
  [
    'server/src/http/app.ts',
    "import SonicBoom from 'sonic-boom'",
    /sonic-boom belongs to adapters\/system alone/,
  ],
  [
    'server/src/api/endpoints/a.ts',
    "import type { Inbound } from '#http/inbound.ts'",
    /api must not import http/,
  ],
  ['server/src/api/a.ts', "import type { Server } from 'node:http'", /node:http belongs to http\/wire alone/],
  [
    'server/src/api/a.ts',
    "import { openSqlite } from '#adapters/sql/sqlite.ts'",
    /api must not import adapters\/sql/,
  ],
  [
    'server/src/mcp/tools.ts',
    "import { allocator } from '#domain/staking/allocation/allocation.ts'",
    /mcp must not import domain/,
  ],
  [
    'server/src/http/wire/a.ts',
    "import { LIMITS } from '@stakewright/contract/errors'",
    /http\/wire must not import contract/,
  ],
  [
    'server/src/http/wire/a.ts',
    "import type { Logger } from '#ports/logger.ts'",
    /http\/wire must not import ports/,
  ],
  [
    'server/src/http/wire/parse/a.ts',
    "import { shownName } from '../../../secrets/shown-name.ts'",
    /http\/wire must not import basics/,
  ],
  ['server/src/http/wire/a.ts', "import { guard } from '../guard.ts'", /http\/wire must not import http/],
  [
    'server/src/http/a.ts',
    "import type { Server } from 'node:http'",
    /node:http belongs to http\/wire alone/,
  ],
  ['server/src/mcp/tools.ts', "import { openEdge } from '#http/edge.ts'", /mcp must not import http/],
  [
    'server/src/mcp/tools.ts',
    "import type { Handler } from '#http/wire/router.ts'",
    /mcp must not import http\/wire/,
  ],
  [
    'server/src/http/guard/guard.ts',
    "import { isMessage } from '../mcp/route.ts'",
    /http must not import http\/mcp/,
  ],
  ['server/src/api/a.ts', "import type { Mcp } from '#mcp/open-mcp.ts'", /api must not import mcp/],
  ['server/src/http/a.ts', "import { openApp } from '../wiring/app.ts'", /http must not import wiring/],
  ['server/src/main.ts', "import { score } from '#domain/staking/score.ts'", /server must not import domain/],
  [
    'server/src/http/app.ts',
    "import { z } from 'left-pad'",
    /left-pad is a library without an owning folder/,
  ],
  ['server/src/jobs/runner.ts', "import { edge } from '#http/edge.ts'", /jobs must not import http/],
  [
    'server/src/adapters/sql/a.ts',
    "import { score } from '#domain/staking/score.ts'",
    /adapters\/sql must not import domain/,
  ],
  [
    'server/src/adapters/sql/a.ts',
    "import { x } from '#adapters/system/logs/scrub.ts'",
    /adapters\/sql must not import adapters\/system/,
  ],
  [
    'server/src/adapters/mail/a.ts',
    "import { DatabaseSync } from 'node:sqlite'",
    /node:sqlite belongs to adapters\/sql alone/,
  ],
  ['server/src/http/a.ts', "import { h } from 'preact'", /preact belongs to web app alone/],
  [
    'server/src/adapters/price/a.ts',
    "import { jwtVerify } from 'jose'",
    /jose belongs to adapters\/jwt alone/,
  ],
  ['server/src/adapters/sql/a.ts', 'const x = await import(name)', /what is imported is computed/],
  [
    'server/src/adapters/sql/a.ts',
    'const home = process.env.HOME',
    /only server\/src\/config\.ts and cli\/src\/main\.ts read the environment/,
  ],
  [
    'server/src/main.ts',
    'const home = process.env.HOME',
    /only server\/src\/config\.ts and cli\/src\/main\.ts read the environment/,
  ],
  ['server/src/config.ts', 'process.exit(1)', /touch process/],
  ['server/src/adapters/sql/a.ts', "if (process.platform === 'win32') stop()", /touch process/],
  ['server/src/adapters/sql/a.ts', 'const { pid } = globalThis.process', /touch process/],
  ['server/src/adapters/sql/a.ts', "import { env } from 'node:process'", /touch process/],
  ['server/src/domain/a/b.ts', '\n\nconst now = Date.now()', /b\.ts:3: domain must not use Date\.now/],
  ['server/src/domain/a/b.ts', 'const now = new Date()', /domain must not use new Date\(\)/],
  ['server/src/domain/a/b.ts', 'const now = new Date', /domain must not use new Date\(\)/],
  ['server/src/domain/a/b.ts', 'const chance = Math.random', /domain must not use Math\.random/],
  ['server/src/domain/a/b.ts', 'const at = performance.now()', /domain must not use performance\.now/],
  ['server/src/domain/a/b.ts', `const id = \`a\${Date.now()}\``, /domain must not use Date\.now/],
  ['server/src/http/utils.ts', '', /"utils" says nothing/],
  ['server/test/test-helpers.ts', '', /"helpers" says nothing/],
  ['server/src/lib/score.ts', '', /"lib" says nothing/],
]

suite('a violation is reported with its file', () => {
  for (const [path, text, message] of FORBIDDEN) {
    test(`${path}: ${text.replaceAll('\n', ' ')}`, () => {
      const violations = check({ [path]: text })
      assert(
        violations.some((violation) => message.test(violation) && violation.startsWith(path)),
        `found ${JSON.stringify(violations)}`,
      )
    })
  }
})

const ALLOWED: readonly (readonly [path: string, text: string])[] = [
  ['contract/src/index.ts', "import { z } from 'zod'\nexport * from './routes.ts'"],
  ['client/src/index.ts', "import type { Reply } from '@stakewright/contract'"],
  ['client/src/sui.ts', "import { bcs } from '@mysten/sui/bcs'"],
  [
    'server/src/ports/stores/agents.ts',
    "import type { Clock } from './clock.ts'\nexport type { Clock }\nexport interface X {}",
  ],
  [
    'server/src/domain/a/b.ts',
    "import type { Clock } from '#ports/clock.ts'\nimport { Fault } from '../../fault.ts'",
  ],
  ['server/src/domain/a/b.ts', "import { type Clock, type Now } from '#ports/clock.ts'"],
  ['server/src/domain/a/b.ts', 'const day = new Date(now)'],
  ['server/src/domain/a/b.ts', "// Date.now() and import('x') are not for here\nconst text = 'Math.random'"],
  ['server/src/domain/a/b.ts', `const text = \`process.env \${\`new Date() \${1}\`} Date.now()\``],
  [
    'server/src/domain/a/b.ts',
    'const quote = /[\'"`]/\nconst half = total / 2 // it\'s new Date()\nconst s = "x"',
  ],
  [
    'server/src/api/endpoints/a.ts',
    "import { score } from '#domain/staking/score.ts'\nimport type { Call } from '../call.ts'",
  ],
  [
    'server/src/mcp/tools.ts',
    "import { outcomeOf } from '#api/api.ts'\nimport { ROUTES } from '@stakewright/contract'",
  ],
  [
    'server/src/http/mcp/serve-mcp.ts',
    "import type { Mcp } from '#mcp/open-mcp.ts'\nimport { toCallContext } from '../serve-api.ts'",
  ],
  [
    'web/src/pages/overview.ts',
    "import { h } from 'preact'\nimport type { Reply } from '@stakewright/client'",
  ],
  [
    'server/src/adapters/sql/a.ts',
    "import { Kysely } from 'kysely'\nimport { readFile } from 'node:fs/promises'",
  ],
  ['server/src/adapters/sql/a.ts', 'queue.process(1)\nconst options = { process: 1 }\nthis.process.env'],
  [
    'server/src/wiring/app.ts',
    "import { openSqlite } from '#adapters/sql/sqlite.ts'\nimport { edge } from '#http/edge.ts'",
  ],
  ['server/src/main.ts', "process.on('SIGTERM', stop)"],
  ['server/src/main.ts', "import pkg from '../package.json' with { type: 'json' }"],
  ['server/src/config.ts', 'export function readConfig(env = process.env) {}'],
  ['server/src/domain/a/b.test.ts', "import fc from 'fast-check'\nconst now = Date.now()\nprocess.env.X"],
  ['server/test/api/a.ts', "import { openSqlite } from '#adapters/sql/sqlite.ts'"],
  ['bench/run.ts', "import { DatabaseSync } from 'node:sqlite'\nprocess.exit(0)"],
]

suite('allowed code is not reported', () => {
  for (const [path, text] of ALLOWED) {
    test(`${path}: ${text.replaceAll('\n', ' ')}`, () => assert.deepEqual(check({ [path]: text }), []))
  }
})

test('a cycle of imports is reported with all its files, even through type imports and in tests', () => {
  const violations = check({
    'server/test/a.ts': "import { b } from './b.ts'",
    'server/test/b.ts': "import type { C } from './c.ts'",
    'server/test/c.ts': "export { a } from './a.ts'",
    'server/test/d.ts': "import { a } from './a.ts'",
  })
  assert.equal(violations.length, 1)
  assert.match(
    violations[0] ?? '',
    /^server\/test\/a\.ts → server\/test\/b\.ts → server\/test\/c\.ts → server\/test\/a\.ts is/,
  )
})

test('a cycle that is reached on several paths is reported once', () => {
  const violations = check({
    'server/test/a.ts': "import { b } from './b.ts'\nimport type { B } from './b.ts'",
    'server/test/b.ts': "import { a } from './a.ts'",
    'server/test/c.ts': "import { b } from './b.ts'\nimport { a } from './a.ts'",
  })
  assert.equal(violations.length, 1)
})

test('a run-time import of zod by the client through the contract is reported', () => {
  const contract = {
    'contract/src/index.ts': "import { z } from 'zod'",
    'contract/src/errors.ts': 'export const ERRORS = {}',
  }
  const plain =
    "import { ERRORS } from '@stakewright/contract/errors'\nimport type { Reply } from '@stakewright/contract'"
  assert.deepEqual(check({ ...contract, 'client/src/index.ts': plain }), [])
  const heavy = check({ ...contract, 'client/src/index.ts': "import { z } from '@stakewright/contract'" })
  assert.match(heavy.join(), /^contract\/src\/index\.ts:1: the client brings zod along/)
})

test('headers, ETags and statuses of HTTP in an endpoint are reported, in comments and texts they are not', () => {
  const reported = (path: string, line: string) => check({ [path]: line }).length
  for (const line of [
    'const tag = call.ifNoneMatch',
    'const { accept } = call',
    "return { body, headers: { 'x-next': next } }",
    'return { etag, body }',
    'return { status: 304 }',
    'const matches = matchesEtag(tag)',
  ]) {
    assert.equal(reported('server/src/api/a.ts', line), 1, line)
    assert.equal(reported('server/src/http/a.ts', line), 0, line)
  }
  assert.equal(reported('server/src/api/a.ts', "// An ETag.\nconst text = 'Send the header X-API-Key.'"), 0)
})

test('imports are found at any position of a file, with their lines', () => {
  const text =
    "const a = 1; import b from './b.ts'\nexport { a }\nimport * as c from './c.ts'\nexport * from \"./d.ts\"\n"
  assert.deepEqual(
    readSource('x.ts', text).imports.map(({ specifier, line }) => [specifier, line]),
    [
      ['./b.ts', 1],
      ['./c.ts', 3],
      ['./d.ts', 4],
    ],
  )
})
