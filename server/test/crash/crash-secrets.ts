import { openSecrets } from '#adapters/system/system-secrets.ts'

/** The same in the process that dies and in the one that looks at what it left. */
export const crashSecrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of the crash tests' })
