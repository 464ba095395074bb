throw new Error('no module today');
