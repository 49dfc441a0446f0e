/** How @hey-api/openapi-ts generates: with file extensions, so that Node runs the result as it is. */
export default {
  input: 'openapi.json',
  output: { path: 'generated', module: { extension: '.ts' } },
}
