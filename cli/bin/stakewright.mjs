#!/usr/bin/env node
/** Runs the command line with the Node version that the workspace pins, whichever version started this file. */
process.argv.splice(2, 0, 'cli/src/main.ts')
await import('../../scripts/run.mjs')
