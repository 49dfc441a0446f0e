import { openSecrets } from '#adapters/system/system-secrets.ts'

/** Shared by the process that is killed and the test that opens its folder afterwards. */
export const crashSecrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of the crash tests' })
