// Runs under node: argv[1] is the validator's script, stdin a JSON list of paths; one JSON line out for each file.
const fs = require('fs');
const path = require('path');
const validator = require(process.argv[1]);

// Only files in the document's own folder or below are read.
function readBeside(document, uri) {
  const folder = path.dirname(document);
  const file = path.resolve(folder, decodeURIComponent(uri));
  if (!file.startsWith(folder + path.sep)) return Promise.reject(new Error('outside of the folder'));
  return fs.promises.readFile(file).then((data) => new Uint8Array(data));
}

async function report(file) {
  try {
    return await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
      uri: path.basename(file),
      maxIssues: 0,
      writeTimestamp: false,
      externalResourceFunction: (uri) => readBeside(file, uri),
    });
  } catch (error) {
    return { fatal: String(error) };
  }
}

(async () => {
  for (const file of JSON.parse(fs.readFileSync(0, 'utf8'))) {
    fs.writeSync(1, JSON.stringify(await report(file)) + '\n');
  }
})();
