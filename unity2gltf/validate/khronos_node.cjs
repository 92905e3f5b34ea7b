// Runs under node: argv[1] is the validator's script, stdin a JSON list of [path, folder]; one JSON line out for each.
const fs = require('fs');
const path = require('path');
const validator = require(process.argv[1]);

// Only files in the folder of the run or below are read.
function readBeside(document, root, uri) {
  const file = fs.realpathSync(path.resolve(path.dirname(document), decodeURIComponent(uri)));
  if (!file.startsWith(root + path.sep)) throw new Error('outside of the folder');
  return fs.promises.readFile(file).then((data) => new Uint8Array(data));
}

async function report(file, root) {
  try {
    return await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
      uri: path.basename(file),
      maxIssues: 0,
      writeTimestamp: false,
      externalResourceFunction: async (uri) => readBeside(file, root, uri),
    });
  } catch (error) {
    return { fatal: String(error) };
  }
}

(async () => {
  for (const [file, root] of JSON.parse(fs.readFileSync(0, 'utf8'))) {
    fs.writeSync(1, JSON.stringify(await report(file, root)) + '\n');
  }
})();
