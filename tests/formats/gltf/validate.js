// Prints the findings of Khronos' validator as one line of JSON per file: validate.js PACKAGE FILE...
const fs = require("fs");
const [, , package, ...files] = process.argv;
const validator = require(package);
(async () => {
    for (const file of files) {
        const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 0 });
        const { numErrors, numWarnings, numInfos, messages } = report.issues;
        console.log(JSON.stringify({ file, errors: numErrors, warnings: numWarnings, infos: numInfos, messages }));
    }
})();
