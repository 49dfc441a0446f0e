import type { Command } from '../command.ts'
import type { AdminAction } from './admin.ts'
import { loadService } from './service-code.ts'

const OF_OPERATOR = { section: 'Operator', withoutTerminal: 'text' } as const

const admin = (action: AdminAction, usage: string, summary: string, flags: readonly string[]): Command => ({
  ...OF_OPERATOR,
  words: `admin ${action}`,
  usage,
  summary,
  flags: [...flags, 'json'],
  run: async (args, terminal) => (await import('./admin.ts')).administer(action, args, terminal),
})

/** Commands of an operator, on the data folder or through the API. Their modules are imported on use. */
export const OPERATOR_COMMANDS: readonly Command[] = [
  {
    ...OF_OPERATOR,
    words: 'serve',
    usage: '',
    summary: 'Start the service (npm start); serve --help lists its variables',
    flags: ['help', 'print-config'],
    // The service reads its own options, and sets the exit code itself.
    run: async () => {
      await loadService(() => import('@stakewright/server/main.ts'))
      return undefined
    },
  },
  admin('token', '[--email ADDRESS]', 'Make a token of the operator, or of one of ADMIN_EMAILS', ['email']),
  admin(
    'agents',
    '[--all] [--url URL]',
    'List the agents of everybody; --all: revoked and expired ones too',
    ['all', 'url'],
  ),
  admin('revoke', 'ID [--url URL]', 'Revoke an agent for good', ['url']),
  admin('suspend', 'ID [--url URL]', 'Refuse its key until it is resumed', ['url']),
  admin('resume', 'ID [--url URL]', 'Let its key work again', ['url']),
  admin('reset-totp', '--email ADDRESS', 'Remove an admin’s authenticator app and end the sessions', [
    'email',
  ]),
  {
    ...OF_OPERATOR,
    words: 'audit verify',
    usage: '[--since FILE]',
    summary: 'Check that nothing in the audit log was changed or is missing',
    flags: ['json', 'since'],
    run: async (args, terminal) => (await import('./audit.ts')).verifyAudit(args, terminal),
  },
  {
    ...OF_OPERATOR,
    words: 'network check',
    usage: '[--timeout SECONDS]',
    summary:
      'Read the network once from each node of SUI_RPC_URLS, and say what it can do; 2 s for each call',
    flags: ['json', 'timeout'],
    run: async (args, terminal) => (await import('./network.ts')).checkNodes(args, terminal),
  },
  {
    ...OF_OPERATOR,
    words: 'backup',
    usage: '--to FOLDER',
    summary: 'Copy the data folder, also while the service runs',
    flags: ['to', 'json'],
    run: async (args, terminal) => (await import('./backup.ts')).backUp(args, terminal),
  },
  {
    ...OF_OPERATOR,
    words: 'migrate-store',
    usage: '--from DATA_DIR [--to URL]',
    summary: 'Copy the embedded database of a stopped service to Postgres: DATABASE_URL, or --to',
    flags: ['from', 'to', 'json'],
    run: async (args, terminal) => (await import('./migrate-store.ts')).migrate(args, terminal),
  },
]
