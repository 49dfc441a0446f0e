#!/usr/bin/env node
/** Runs the command line on the Node that the workspace is pinned to, whichever Node was called. */
process.argv.splice(2, 0, 'cli/src/main.ts')
await import('../../scripts/run.mjs')
