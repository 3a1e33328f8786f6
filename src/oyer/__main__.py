"""`python -m oyer` is `oyer`."""

import sys

from oyer.cli import main

sys.exit(main())
